import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { JournalFile, JournalRecord, JournalRow } from './journal-row.ts';

type FileBytes = Pick<JournalFile, 'before' | 'after' | 'storedBefore' | 'storedAfter'>;

/** The redo log of one ledger: what was begun and is not yet safe without it. */
export class Journal {
  readonly #insert: StatementSync;
  readonly #insertFile: StatementSync;
  readonly #update: StatementSync;
  readonly #acknowledge: StatementSync;
  readonly #delete: StatementSync;
  readonly #rows: StatementSync;
  readonly #files: StatementSync;
  readonly #count: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare('INSERT INTO journal (acknowledged, record) VALUES (0, ?)');
    this.#insertFile = database.prepare('INSERT INTO journal_files VALUES (?, ?, ?, ?, ?, ?)');
    this.#update = database.prepare('UPDATE journal SET record = ? WHERE id = ?');
    this.#acknowledge = database.prepare('UPDATE journal SET acknowledged = 1, record = ? WHERE id = ?');
    this.#delete = database.prepare('DELETE FROM journal WHERE id = ?');
    this.#rows = database.prepare('SELECT id, acknowledged, record FROM journal ORDER BY id');
    this.#files = database.prepare('SELECT * FROM journal_files WHERE journal = ? ORDER BY position');
    this.#count = database.prepare('SELECT count(*) AS count FROM journal');
  }

  /** Every row, oldest first. */
  rows(): JournalRow[] {
    return this.#rows.all().map((row) => {
      const id = Number(row.id);
      const parsed = JSON.parse(String(row.record)) as JournalRecord;
      const bytes = this.#files.all(id).map(fileBytes);
      const files = parsed.files.map((file, position) => ({ ...file, ...bytes[position]! }));
      return { id, acknowledged: row.acknowledged === 1, record: { ...parsed, files } };
    });
  }

  get size(): number {
    return Number(this.#count.get()?.count);
  }

  /** Within the caller's transaction. Returns the row's id. */
  insert(record: JournalRecord): number {
    const id = Number(this.#insert.run(withoutBytes(record)).lastInsertRowid);
    for (const [position, file] of record.files.entries()) {
      const { before, after } = file;
      // What git stores is nearly always what lies on disk: kept once.
      const storedBefore = file.storedBefore === before ? null : file.storedBefore;
      const storedAfter = file.storedAfter === after ? null : file.storedAfter;
      this.#insertFile.run(id, position, before, after, storedBefore, storedAfter);
    }
    return id;
  }

  /** Writes all but the files' bytes anew. */
  update(id: number, record: JournalRecord): void {
    this.#update.run(withoutBytes(record), id);
  }

  acknowledge(id: number, record: JournalRecord): void {
    this.#acknowledge.run(withoutBytes(record), id);
  }

  delete(ids: readonly number[]): void {
    for (const id of ids) this.#delete.run(id);
  }
}

function withoutBytes(record: JournalRecord): string {
  const files = record.files.map(({ before, after, storedBefore, storedAfter, ...rest }) => rest);
  return JSON.stringify({ ...record, files });
}

function fileBytes(row: Record<string, unknown>): FileBytes {
  const before = row.before as Uint8Array | null;
  const after = row.after as Uint8Array | null;
  return {
    before,
    after,
    storedBefore: (row.stored_before as Uint8Array | null) ?? before,
    storedAfter: (row.stored_after as Uint8Array | null) ?? after,
  };
}
