import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { inTransaction, Slices, Statements } from '@grove/core';
import type { EmbeddedCounts } from '../../contract.ts';
import type { MeaningText } from '../meaning-texts.ts';
import type { VectorStore } from '../port.ts';
import { NOTE, type NoteState, NoteStates } from './note-states.ts';
import { openRecordsFile } from './records-file.ts';
import { TextColumn, type TextColumns, type TextRecord } from './text-columns.ts';

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

/** Which texts the notes of a vault have, and which notes still wait for their vectors: one SQLite file per model. */
export class MeaningRecords {
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  readonly #states = new NoteStates();
  #version = 0;

  /** See {@link openRecordsFile}. Records of another catalog are dropped: its ids are others. */
  constructor(path: string, catalogId: string) {
    this.#database = openRecordsFile(path);
    this.#statements = new Statements(this.#database);
    if (this.#remembered('catalog') === catalogId) {
      const known = this.#database.prepare('SELECT id, state FROM notes');
      known.setReturnArrays(true);
      for (const [id, state] of known.all() as unknown as [number, number][])
        this.#states.set(id, (state + 1) as NoteState);
      return;
    }
    this.#transaction(() => {
      this.#run('DELETE FROM notes');
      this.#run('DELETE FROM chunks');
      this.#run("DELETE FROM meta WHERE key IN ('snapshot', 'compared')");
      this.#run("INSERT OR REPLACE INTO meta VALUES ('catalog', ?)", catalogId);
    });
  }

  /** The kind of the store that was last open; null when none was. */
  get storeKind(): VectorStore['kind'] | null {
    const kind = this.#remembered('store');
    return kind === 'lancedb' || kind === 'sqlite' ? kind : null;
  }

  set storeKind(kind: VectorStore['kind']) {
    this.#run("INSERT OR REPLACE INTO meta VALUES ('store', ?)", kind);
  }

  /** How many texts are gone since the store was last looked through: of so many vectors at most nobody makes use. */
  get unused(): number {
    return Number(this.#remembered('unused') ?? 0);
  }

  set unused(count: number) {
    this.#run("INSERT OR REPLACE INTO meta VALUES ('unused', ?)", String(count));
  }

  /**
   * The files that hold the vector of every text and no other, by their stamp; null: none of which that is known. In the
   * transaction in which texts change it is forgotten.
   */
  get snapshot(): string | null {
    return this.#remembered('snapshot');
  }

  set snapshot(stamp: string) {
    this.#run("INSERT OR REPLACE INTO meta VALUES ('snapshot', ?)", stamp);
  }

  /** The sequence of the catalog up to which each of its notes was compared with what is known here; null: none. */
  get comparedAt(): number | null {
    const sequence = this.#remembered('compared');
    return sequence === null ? null : Number(sequence);
  }

  set comparedAt(sequence: number) {
    this.#run("INSERT OR REPLACE INTO meta VALUES ('compared', ?)", String(sequence));
  }

  /** Grows with each change of texts. */
  get version(): number {
    return this.#version;
  }

  /** Null for a note that is not known. */
  fingerprint(note: number): string | null {
    const row = this.#row('SELECT fingerprint FROM notes WHERE id = ?', note);
    return row === undefined ? null : String(row.fingerprint);
  }

  isDone(note: number): boolean {
    return this.#states.of(note) === NOTE.done;
  }

  /** How many of these notes have all of their vectors. */
  done(notes: Uint32Array): number {
    return this.#states.among(notes)[NOTE.done]!;
  }

  /** How many of these notes have not all of their vectors; those that are not known at all are not among them. */
  lacking(notes: Uint32Array): number {
    if (this.#states.count(NOTE.done) === this.#states.total) return 0;
    const counts = this.#states.among(notes);
    return counts[NOTE.waits]! + counts[NOTE.failed]! + counts[NOTE.leftOut]!;
  }

  /** How many of these notes are not known at all. */
  unknown(notes: Uint32Array): number {
    return this.#states.among(notes)[NOTE.unknown]!;
  }

  /** Those of these notes of which nothing is on disk. */
  unrecorded(notes: Uint32Array): Uint32Array {
    return notes.filter((note) => !this.#states.isRecorded(note));
  }

  /** How many of these notes could not be embedded. */
  failed(notes: Uint32Array): number {
    return this.#states.among(notes)[NOTE.failed]!;
  }

  /** True for a note that could not be embedded. */
  hasFailed(note: number): boolean {
    return this.#states.of(note) === NOTE.failed;
  }

  noteIds(): number[] {
    return this.#states.known();
  }

  /** Notes that have not all of their vectors. */
  openIds(): number[] {
    return this.noteIds().filter((note) => !this.isDone(note));
  }

  /** How many texts all notes have. */
  get texts(): number {
    return Number(this.#row('SELECT count(*) AS count FROM chunks')?.count);
  }

  /** Every text of every note, by columns; in slices, so that others may write meanwhile. */
  async columns(): Promise<TextColumns> {
    const slices = new Slices();
    const heads = new TextColumn();
    const parts = new TextColumn();
    const some = this.#statements.of(
      'SELECT row, note, position, key FROM chunks WHERE row > ? ORDER BY row LIMIT 2000',
    );
    some.setReturnArrays(true);
    for (let after = -1; ; ) {
      const texts = some.all(after) as unknown as [number, number, number, string][];
      for (const [row, note, position, key] of texts) (position === 0 ? heads : parts).add(row, note, key);
      const last = texts.at(-1);
      if (last === undefined) return { heads, parts };
      after = last[0];
      if (slices.spent) await slices.rest();
    }
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

  /** The notes that have a text with one of these keys. */
  notesOf(keys: readonly string[]): number[] {
    const sql = 'SELECT DISTINCT note FROM chunks WHERE key IN (SELECT value FROM json_each(?))';
    return this.#all(sql, JSON.stringify(keys)).map(({ note }) => Number(note));
  }

  /** The texts with these keys, by key; those that no note has are left out. Some hundreds of keys at a time. */
  withKeys(keys: readonly string[]): ReadonlyMap<string, readonly TextRecord[]> {
    const found = this.#all(
      'SELECT row, note, position, key FROM chunks WHERE key IN (SELECT value FROM json_each(?))',
      JSON.stringify(keys),
    );
    return Map.groupBy(found.map(recordOf), ({ key }) => key);
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
        this.#run('INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?)', id, fingerprint, touched, 0);
    });
    for (const { id } of notes) this.#states.set(id, NOTE.waits);
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
    const gone = (): TextRecord[] => [...former.values()].flat();
    this.#transaction(() => {
      let isSame = true;
      for (const [position, { key, start, end, line }] of texts.entries()) {
        const kept = former.get(key)?.shift() ?? null;
        if (kept?.isHead !== (position === 0)) isSame = false;
        this.#run(
          'INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)',
          kept?.row ?? null,
          note,
          position,
          key,
          start,
          end,
          line,
        );
      }
      for (const { row } of gone()) this.#run('DELETE FROM chunks WHERE row = ?', row);
      if (gone().length > 0) this.unused += gone().length;
      if (!isSame || gone().length > 0) this.#changeTexts();
    });
    return gone().map(({ row }) => row);
  }

  /** Every text of these notes has its vector on disk. */
  finish(notes: readonly number[]): void {
    this.#setState(notes, NOTE.done);
  }

  giveUp(notes: readonly number[]): void {
    this.#setState(notes, NOTE.failed);
  }

  /** What was given up waits once more. */
  retryFailed(): void {
    this.#setState(
      this.noteIds().filter((note) => this.hasFailed(note)),
      NOTE.waits,
    );
  }

  /** These notes wait again: vectors of theirs are not there. */
  reopen(notes: readonly number[]): void {
    this.#setState(notes, NOTE.waits);
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
      if (gone.length === 0) return;
      this.unused += gone.length;
      this.#changeTexts();
    });
    for (const note of notes) this.#states.set(note, NOTE.unknown);
    return gone;
  }

  /**
   * Forgets notes that are there, and goes on counting them as lacking.
   *
   * @returns the numbers of their texts
   */
  leaveOut(notes: readonly number[]): number[] {
    const gone = this.drop(notes);
    for (const note of notes) this.#states.set(note, NOTE.leftOut);
    return gone;
  }

  counts(): EmbeddedCounts {
    const [done, failed] = [this.#states.count(NOTE.done), this.#states.count(NOTE.failed)];
    return { total: this.#states.count(NOTE.waits) + done + failed, done, failed };
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #setState(notes: readonly number[], state: Exclude<NoteState, 0 | 4>): void {
    this.#transaction(() => {
      for (const note of notes) this.#run('UPDATE notes SET state = ? WHERE id = ?', state - 1, note);
    });
    for (const note of notes) {
      const former = this.#states.of(note);
      if (former !== NOTE.unknown && former !== NOTE.leftOut) this.#states.set(note, state);
    }
  }

  /** In a transaction that changes which texts there are, or which of them are heads. */
  #changeTexts(): void {
    this.#version += 1;
    this.#run("DELETE FROM meta WHERE key = 'snapshot'");
  }

  #remembered(name: string): string | null {
    const found = this.#row('SELECT value FROM meta WHERE key = ?', name);
    return found === undefined ? null : String(found.value);
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
