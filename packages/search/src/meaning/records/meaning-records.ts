import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { inTransaction, Statements } from '@grove/core';
import type { EmbeddedCounts } from '../../contract.ts';
import type { MeaningText } from '../meaning-texts.ts';
import { openRecordsFile } from './records-file.ts';

/** A text of a note, under the number that its vector has in memory. */
export interface TextRecord {
  readonly row: number;
  readonly note: number;
  readonly key: string;
  /** True for the first text of a note, its head. */
  readonly isHead: boolean;
}

/** Where in its note a text stands. */
export interface TextPlace {
  readonly note: number;
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/** A note that is to be embedded. */
export interface WaitingNote {
  readonly id: number;
  /** Of what is known of the note by its catalog row: another one means that its texts are to be made anew. */
  readonly fingerprint: string;
  /** The later the sooner it has its turn, in milliseconds since the epoch. */
  readonly touched: number;
}

const STATE = { waits: 0, done: 1, failed: 2 } as const;

/** Which texts the notes of a vault have, and which notes still wait for their vectors: one SQLite file per model. */
export class MeaningRecords {
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  /** Notes that are known and not done, so that a search may ask at no cost. */
  readonly #open = new Set<number>();
  /** Those of them that were given up. */
  readonly #failed = new Set<number>();

  /** See {@link openRecordsFile}. Records of another catalog are dropped: its ids are others. */
  constructor(path: string, catalogId: string) {
    this.#database = openRecordsFile(path);
    this.#statements = new Statements(this.#database);
    if (this.#row("SELECT value FROM meta WHERE key = 'catalog'")?.value === catalogId) {
      for (const { id, state } of this.#all('SELECT id, state FROM notes WHERE state <> 1')) {
        this.#open.add(Number(id));
        if (state === STATE.failed) this.#failed.add(Number(id));
      }
      return;
    }
    this.#transaction(() => {
      this.#run('DELETE FROM notes');
      this.#run('DELETE FROM chunks');
      this.#run("INSERT OR REPLACE INTO meta VALUES ('catalog', ?)", catalogId);
    });
  }

  /** Null for a note that is not known. */
  fingerprint(note: number): string | null {
    const row = this.#row('SELECT fingerprint FROM notes WHERE id = ?', note);
    return row === undefined ? null : String(row.fingerprint);
  }

  isDone(note: number): boolean {
    return this.#row('SELECT state FROM notes WHERE id = ?', note)?.state === STATE.done;
  }

  /** How many of these notes have not all of their vectors. */
  lacking(notes: Uint32Array): number {
    if (this.#open.size === 0) return 0;
    return notes.reduce((count, note) => count + (this.#open.has(note) ? 1 : 0), 0);
  }

  /** How many of these notes are not known at all. */
  unknown(notes: Uint32Array): number {
    const known = new Set(this.noteIds());
    return notes.reduce((count, note) => count + (known.has(note) ? 0 : 1), 0);
  }

  /** How many of these notes could not be embedded. */
  failed(notes: Uint32Array): number {
    if (this.#failed.size === 0) return 0;
    return notes.reduce((count, note) => count + (this.#failed.has(note) ? 1 : 0), 0);
  }

  /** True for a note that could not be embedded. */
  hasFailed(note: number): boolean {
    return this.#failed.has(note);
  }

  noteIds(): number[] {
    return this.#all('SELECT id FROM notes').map(({ id }) => Number(id));
  }

  /** Every text of every note. */
  *texts(): Iterable<TextRecord> {
    for (const row of this.#statements.of('SELECT row, note, position, key FROM chunks').iterate())
      yield recordOf(row);
  }

  textsOf(note: number): TextRecord[] {
    return this.#all(
      'SELECT row, note, position, key FROM chunks WHERE note = ? ORDER BY position',
      note,
    ).map(recordOf);
  }

  /** The number of a note's head; null for a note without texts. */
  headOf(note: number): number | null {
    const found = this.#row('SELECT row FROM chunks WHERE note = ? AND position = 0', note);
    return found === undefined ? null : Number(found.row);
  }

  /** The texts with this key, of whichever notes. */
  withKey(key: string): TextRecord[] {
    return this.#all('SELECT row, note, position, key FROM chunks WHERE key = ?', key).map(recordOf);
  }

  place(row: number): TextPlace | null {
    const found = this.#row('SELECT note, start, end, line FROM chunks WHERE row = ?', row);
    if (found === undefined) return null;
    const { note, start, end, line } = found;
    return { note: Number(note), start: Number(start), end: Number(end), line: Number(line) };
  }

  /** The notes wait for their turn from now on. */
  wait(notes: readonly WaitingNote[]): void {
    if (notes.length === 0) return;
    this.#transaction(() => {
      for (const { id, fingerprint, touched } of notes)
        this.#run('INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?)', id, fingerprint, touched, STATE.waits);
    });
    for (const { id } of notes) {
      this.#open.add(id);
      this.#failed.delete(id);
    }
  }

  /** The notes that waited least, at most so many. */
  next(limit: number): WaitingNote[] {
    const found = this.#all('SELECT * FROM notes WHERE state = 0 ORDER BY touched DESC LIMIT ?', limit);
    return found.map(({ id, fingerprint, touched }) => ({
      id: Number(id),
      fingerprint: String(fingerprint),
      touched: Number(touched),
    }));
  }

  /**
   * Takes the texts that a note has now. A text that it had already keeps its number.
   *
   * @returns the numbers that are gone
   */
  replaceTexts(note: number, texts: readonly MeaningText[]): number[] {
    const former = Map.groupBy(this.textsOf(note), ({ key }) => key);
    this.#transaction(() => {
      for (const [position, { key, start, end, line }] of texts.entries()) {
        const kept = former.get(key)?.shift()?.row ?? null;
        this.#run(
          'INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)',
          kept,
          note,
          position,
          key,
          start,
          end,
          line,
        );
      }
      for (const { row } of [...former.values()].flat()) this.#run('DELETE FROM chunks WHERE row = ?', row);
    });
    return [...former.values()].flat().map(({ row }) => row);
  }

  /** Every text of these notes has its vector on disk. */
  finish(notes: readonly number[]): void {
    this.#setState(notes, STATE.done);
  }

  giveUp(notes: readonly number[]): void {
    this.#setState(notes, STATE.failed);
  }

  /** What was given up waits once more. */
  retryFailed(): void {
    this.#run('UPDATE notes SET state = 0 WHERE state = 2');
    this.#failed.clear();
  }

  /** These notes wait again: vectors of theirs are not there. */
  reopen(notes: readonly number[]): void {
    this.#setState(notes, STATE.waits);
  }

  /**
   * Forgets notes.
   *
   * @returns the numbers of their texts
   */
  drop(notes: readonly number[]): number[] {
    const gone = notes.flatMap((note) => this.textsOf(note).map(({ row }) => row));
    this.#transaction(() => {
      for (const note of notes) {
        this.#run('DELETE FROM chunks WHERE note = ?', note);
        this.#run('DELETE FROM notes WHERE id = ?', note);
      }
    });
    for (const note of notes) {
      this.#open.delete(note);
      this.#failed.delete(note);
    }
    return gone;
  }

  counts(): EmbeddedCounts {
    const states = this.#all('SELECT state, count(*) AS count FROM notes GROUP BY state');
    const of = (state: number) => Number(states.find((row) => row.state === state)?.count ?? 0);
    const [done, failed] = [of(STATE.done), of(STATE.failed)];
    return { total: of(STATE.waits) + done + failed, done, failed };
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #setState(notes: readonly number[], state: number): void {
    this.#transaction(() => {
      for (const note of notes) this.#run('UPDATE notes SET state = ? WHERE id = ?', state, note);
    });
    for (const note of notes) {
      if (state === STATE.done) this.#open.delete(note);
      else this.#open.add(note);
      if (state === STATE.failed) this.#failed.add(note);
      else this.#failed.delete(note);
    }
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#statements.run(sql, ...values);
  }

  #row(sql: string, ...values: SQLInputValue[]) {
    return this.#statements.of(sql).get(...values);
  }

  #all(sql: string, ...values: SQLInputValue[]) {
    return this.#statements.of(sql).all(...values);
  }

  #transaction(work: () => void): void {
    inTransaction(this.#database, work);
  }
}

function recordOf({ row, note, position, key }: Record<string, unknown>): TextRecord {
  return { row: Number(row), note: Number(note), key: String(key), isHead: position === 0 };
}
