import { statSync } from 'node:fs';
import { errorCode, inTransaction, Statements } from '@grove/core';
import type { SkipReason } from '../disk/stat-key.ts';
import type { NoteDetails } from '../note-row.ts';
import { type CatalogFile, isCatalogFile } from './catalog-file.ts';
import type { CatalogRow } from './catalog-row.ts';
import { checkpointAside } from './checkpoint.ts';
import {
  decodeDetails,
  decodeEdges,
  decodeProperties,
  decodeRow,
  encodeDetails,
  encodeEdges,
  encodeProperties,
  type FlatEdges,
  flatEdges,
} from './row-codec.ts';

/** A note to be written, with its details unless they stay as they are. */
export interface StoredNote {
  readonly row: CatalogRow;
  /** The row by `encodeRow`. */
  readonly encoded: string;
  readonly details: NoteDetails | null;
}

/** A file that was read and is no note, remembered so that it is not read again until it changes. */
export interface RefusedFile {
  readonly path: string;
  readonly reason: SkipReason;
  /** The stat key as JSON. */
  readonly stat: string;
}

/** One step of the catalog, written in one transaction. */
export interface StoreStep {
  readonly sequence: number;
  readonly nextId: number;
  readonly notes: readonly StoredNote[];
  readonly removedIds: readonly number[];
  readonly refused: readonly RefusedFile[];
  readonly accepted: readonly string[];
}

/** The counters that outlive a process. */
export interface StoreCounters {
  readonly sequence: number;
  readonly nextId: number;
  /** Removals before this sequence have been forgotten. */
  readonly floor: number;
}

/** Removals are remembered for an index that was closed meanwhile; beyond this many it starts anew. */
const MAX_REMOVED = 100_000;
/** Characters of rows and details between checkpoints; each takes some 2.5 bytes of the log. */
const CHECKPOINT_CHARS = 6_000_000;
/** So many in the log are to be moved before more are written: well below where SQLite does it itself. */
const LOG_CHARS = 18_000_000;

/** The catalog on disk. Every method throws SQLite's error when the file cannot serve. */
export class CatalogStore {
  readonly catalogId: string;
  readonly #file: CatalogFile;
  readonly #path: string;
  readonly #inode: string | null;
  readonly #statements: Statements;
  #charsSinceCheckpoint = 0;
  #charsInLog = 0;
  #checkpoint: Promise<void> | null = null;

  constructor(file: CatalogFile, path: string) {
    this.#file = file;
    this.#statements = new Statements(file.database);
    this.#path = path;
    this.catalogId = file.catalogId;
    this.#inode = inodeOf(path);
  }

  /**
   * What is at the file's path: this database, nothing or another file, or this file overwritten. Damage in
   * its middle shows when it is read.
   */
  get condition(): 'sound' | 'gone' | 'overwritten' {
    if (this.#inode === null || inodeOf(this.#path) !== this.#inode) return 'gone';
    return isCatalogFile(this.#path, this.catalogId) ? 'sound' : 'overwritten';
  }

  get isOpen(): boolean {
    return this.#file.database.isOpen;
  }

  /** False while details are still missing for some rows ({@link setComplete}). */
  get complete(): boolean {
    return this.#statements.of("SELECT value FROM meta WHERE key = 'incomplete'").get()?.value !== '1';
  }

  setComplete(complete: boolean): void {
    this.#set('incomplete', complete ? 0 : 1);
  }

  counters(): StoreCounters {
    const read = (key: string): number =>
      Number(this.#statements.of('SELECT value FROM meta WHERE key = ?').get(key)?.value ?? 0);
    return { sequence: read('sequence'), nextId: Math.max(1, read('next_id')), floor: read('floor') };
  }

  rows(): CatalogRow[] {
    const statement = this.#file.database.prepare('SELECT id, path, sequence, row FROM notes');
    statement.setReturnArrays(true);
    const devices = new Map<string, string>();
    const rows: CatalogRow[] = [];
    for (const cells of statement.iterate() as unknown as Iterable<[number, string, number, string]>) {
      rows.push(decodeRow(cells[0], cells[1], cells[2], cells[3], devices));
    }
    return rows;
  }

  refused(): RefusedFile[] {
    return this.#statements.of('SELECT path, reason, stat FROM refused').all() as unknown as RefusedFile[];
  }

  removedSince(sequence: number): number[] {
    return this.#statements
      .of('SELECT id FROM removed WHERE sequence > ? ORDER BY id')
      .all(sequence)
      .map((row) => Number(row.id));
  }

  details(id: number): NoteDetails | null {
    const row = this.#statements.of('SELECT properties, details FROM details WHERE id = ?').get(id);
    return row === undefined
      ? null
      : decodeDetails(String(row.details), decodeProperties(String(row.properties)));
  }

  properties(id: number): NoteDetails['properties'] | null {
    const row = this.#statements.of('SELECT properties FROM details WHERE id = ?').get(id);
    return row === undefined ? null : decodeProperties(String(row.properties));
  }

  edges(id: number): FlatEdges | null {
    const row = this.#statements.of('SELECT edges FROM details WHERE id = ?').get(id);
    return row === undefined ? null : decodeEdges(String(row.edges));
  }

  /** Edges of notes by id, the lowest first: at most `limit`, of those above `id`. */
  edgesAfter(id: number, limit: number): [number, FlatEdges][] {
    return this.#statements
      .of('SELECT id, edges FROM details WHERE id > ? ORDER BY id LIMIT ?')
      .all(id, limit)
      .map((row) => [Number(row.id), decodeEdges(String(row.edges))]);
  }

  write(step: StoreStep): void {
    let chars = 0;
    inTransaction(this.#file.database, () => {
      for (const { row, encoded, details } of step.notes) {
        this.#statements.run(
          'INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?)',
          row.id,
          row.path,
          row.sequence,
          encoded,
        );
        chars += encoded.length;
        if (details === null) continue;
        const properties = encodeProperties(details.properties);
        const text = encodeDetails(details);
        this.#statements.run(
          'INSERT OR REPLACE INTO details VALUES (?, ?, ?, ?)',
          row.id,
          encodeEdges(flatEdges(details.links)),
          properties,
          text,
        );
        chars += properties.length + text.length;
      }
      for (const id of step.removedIds) {
        this.#statements.run('DELETE FROM notes WHERE id = ?', id);
        this.#statements.run('DELETE FROM details WHERE id = ?', id);
        this.#statements.run('INSERT OR REPLACE INTO removed VALUES (?, ?)', id, step.sequence);
      }
      for (const file of step.refused) {
        this.#statements.run(
          'INSERT OR REPLACE INTO refused VALUES (?, ?, ?)',
          file.path,
          file.reason,
          file.stat,
        );
      }
      for (const path of step.accepted) this.#statements.run('DELETE FROM refused WHERE path = ?', path);
      this.#set('sequence', step.sequence);
      this.#set('next_id', step.nextId);
      if (step.removedIds.length > 0) this.#forgetOldRemovals();
    });
    this.#charsSinceCheckpoint += chars;
    this.#charsInLog += chars;
    if (this.#charsSinceCheckpoint > CHECKPOINT_CHARS) void this.#moveLog();
  }

  /**
   * Awaited between steps by who writes many: resolves at once, or, when the log is long, once all of it has been
   * moved, since only then it is written from its start again.
   */
  async room(): Promise<void> {
    if (this.#charsInLog <= LOG_CHARS) return;
    await this.#checkpoint;
    await this.#moveLog();
  }

  /** Resolves when no checkpoint is under way. */
  async settled(): Promise<void> {
    await this.#checkpoint;
  }

  /** Removals up to `sequence` count as forgotten. */
  setFloor(sequence: number): void {
    this.#set('floor', sequence);
  }

  close(): void {
    this.#statements.clear();
    if (this.#file.database.isOpen) this.#file.database.close();
  }

  #moveLog(): Promise<void> {
    if (this.#checkpoint !== null) return this.#checkpoint;
    const chars = this.#charsInLog;
    this.#charsSinceCheckpoint = 0;
    this.#checkpoint = checkpointAside(this.#path).then(() => {
      this.#checkpoint = null;
      if (this.#charsInLog === chars) this.#charsInLog = 0;
    });
    return this.#checkpoint;
  }

  #forgetOldRemovals(): void {
    const count = Number(this.#statements.of('SELECT count(*) AS n FROM removed').get()?.n ?? 0);
    if (count <= MAX_REMOVED) return;
    const floor = this.#statements
      .of('SELECT sequence FROM removed ORDER BY sequence DESC LIMIT 1 OFFSET ?')
      .get(MAX_REMOVED / 2)?.sequence;
    this.#statements.run('DELETE FROM removed WHERE sequence <= ?', Number(floor));
    this.setFloor(Number(floor));
  }

  #set(key: string, value: number): void {
    this.#statements.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', key, String(value));
  }
}

function inodeOf(path: string): string | null {
  try {
    const stat = statSync(path, { bigint: true });
    return `${stat.dev}:${stat.ino}`;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}
