import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { PulledFile, PullRecord, PullRow, PullState } from '../pulling/pull-record.ts';

/** The redo log of the pull that is on its way, if there is one. */
export class PullLog {
  readonly #insert: StatementSync;
  readonly #insertFile: StatementSync;
  readonly #state: StatementSync;
  readonly #delete: StatementSync;
  readonly #row: StatementSync;
  readonly #files: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare('INSERT INTO pulls VALUES (1, ?, ?)');
    this.#insertFile = database.prepare('INSERT INTO pull_files VALUES (1, ?, ?)');
    this.#state = database.prepare('UPDATE pulls SET state = ?');
    this.#delete = database.prepare('DELETE FROM pulls');
    this.#row = database.prepare('SELECT state, record FROM pulls');
    this.#files = database.prepare('SELECT file FROM pull_files ORDER BY position');
  }

  row(): PullRow | null {
    const row = this.#row.get();
    if (row === undefined) return null;
    const files: PulledFile[] = [];
    for (const { file } of this.#files.iterate()) files.push(JSON.parse(String(file)) as PulledFile);
    const record = JSON.parse(String(row.record)) as Omit<PullRecord, 'files'>;
    return { state: String(row.state) as PullState, record: { ...record, files } };
  }

  /** Within the caller's transaction, as the other changes. */
  insert({ files, ...record }: PullRecord, state: PullState): void {
    this.#insert.run(state, JSON.stringify(record));
    for (const [position, file] of files.entries()) this.#insertFile.run(position, JSON.stringify(file));
  }

  setState(state: PullState): void {
    this.#state.run(state);
  }

  delete(): void {
    this.#delete.run();
  }
}
