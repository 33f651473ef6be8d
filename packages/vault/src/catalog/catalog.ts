import { errorCode, GroveError, sqliteCode } from '@grove/core';
import type { NoteText } from '@grove/markdown';
import { LRUCache } from 'lru-cache';
import type { FileFacts } from '../disk/stat-key.ts';
import type { CatalogDelta, NoteDetails } from '../note-row.ts';
import { createCatalogFile } from './catalog-file.ts';
import { type CatalogRow, isRacy, type RowChange } from './catalog-row.ts';
import { CatalogStore, type RefusedFile, type StoredNote } from './catalog-store.ts';
import type { OpenedCatalog } from './open-catalog.ts';
import type { NoteReading } from './read-note.ts';
import { decodeRow, encodeRow, type FlatEdges } from './row-codec.ts';

/** One step of the catalog. `expected` is the row that its maker saw: where it is another now, it is left out. */
export interface CatalogStep {
  readonly upserts: readonly { readonly expected: CatalogRow | null; readonly reading: NoteReading }[];
  /** Same bytes under a new stat key. */
  readonly refreshed: readonly {
    readonly expected: CatalogRow;
    readonly facts: FileFacts;
    readonly diskPath: string;
    readonly readAt: number;
    /** Given when the stored details were lost. */
    readonly details: NoteDetails | null;
  }[];
  readonly removals: readonly CatalogRow[];
  readonly refused: readonly RefusedFile[];
}

export interface AppliedStep {
  /** Null when no row's content changed. */
  readonly delta: CatalogDelta | null;
  /** Paths left out because their row changed meanwhile. */
  readonly stale: readonly string[];
}

const EMPTY_STEP: CatalogStep = { upserts: [], refreshed: [], removals: [], refused: [] };
const CACHED_DETAILS = 256;

/**
 * Every known note of one vault: rows in memory, details on disk. A step is applied at once and whole:
 * first the file, then memory, then the Views hear of it. When SQLite fails, memory goes on and
 * {@link mend} makes a new file later.
 */
export class Catalog {
  readonly catalogId: string;
  #store: CatalogStore;
  /** The file before this one, read from until the new one has every note's details. */
  #former: CatalogStore | null = null;
  readonly #path: string;
  readonly #readingKey: string;
  readonly #byPath = new Map<string, CatalogRow>();
  readonly #byId = new Map<number, CatalogRow>();
  readonly #refused = new Map<string, RefusedFile>();
  readonly #masked = new Set<number>();
  readonly #devices = new Map<string, string>();
  readonly #details = new LRUCache<number, NoteDetails>({ max: CACHED_DETAILS });
  readonly #listeners = new Set<(changes: readonly RowChange[]) => void>();
  #sequence: number;
  #nextId: number;
  #floor: number;
  #rebuilt: string | null;
  #storeFailure: string | null = null;
  #closed = false;

  constructor(opened: OpenedCatalog, path: string, readingKey: string) {
    this.#store = opened.store;
    this.#path = path;
    this.#readingKey = readingKey;
    this.catalogId = opened.store.catalogId;
    this.#sequence = opened.counters.sequence;
    this.#nextId = opened.counters.nextId;
    this.#floor = opened.counters.floor;
    this.#rebuilt = opened.rebuilt;
    for (const row of opened.rows) {
      this.#byPath.set(row.path, row);
      this.#byId.set(row.id, row);
    }
    for (const file of opened.refused) this.#refused.set(file.path, file);
  }

  get sequence(): number {
    return this.#sequence;
  }

  get size(): number {
    return this.#byPath.size;
  }

  get rebuilt(): string | null {
    return this.#rebuilt;
  }

  /** Why the file on disk cannot be written or read, or null. */
  get storeFailure(): string | null {
    return this.#storeFailure;
  }

  rows(): IterableIterator<CatalogRow> {
    return this.#byPath.values();
  }

  row(path: string): CatalogRow | null {
    return this.#byPath.get(path) ?? null;
  }

  byId(id: number): CatalogRow | null {
    return this.#byId.get(id) ?? null;
  }

  refusedAt(diskPath: string): RefusedFile | null {
    return this.#refused.get(diskPath) ?? null;
  }

  /** True while the note's file or a folder above it cannot be read: it is kept, and shown to nobody. */
  isMasked(row: CatalogRow): boolean {
    return this.#masked.has(row.id);
  }

  /** Awaited between steps by who applies many: resolves when the file can take more. */
  async room(): Promise<void> {
    await this.#store.room();
  }

  /** Files whose stat key cannot be trusted yet, as the disk spells them. */
  racyPaths(): string[] {
    return [...this.#byPath.values()].filter(isRacy).map((row) => row.diskPath);
  }

  /** Hears of every change of a row that may be shown, at once. */
  onChange(listener: (changes: readonly RowChange[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  mask(rows: readonly CatalogRow[]): void {
    const changes: RowChange[] = [];
    for (const row of rows) {
      const current = this.#byId.get(row.id);
      if (current === undefined || this.#masked.has(row.id)) continue;
      this.#masked.add(row.id);
      changes.push({ before: current, after: null });
    }
    this.#tell(changes);
  }

  /** Shows rows again whose bytes could be read. */
  unmask(rows: readonly CatalogRow[]): void {
    const changes: RowChange[] = [];
    for (const row of rows) {
      const current = this.#byId.get(row.id);
      if (current !== undefined && this.#masked.delete(row.id))
        changes.push({ before: null, after: current });
    }
    this.#tell(changes);
  }

  apply(given: Partial<CatalogStep>): AppliedStep {
    const step = { ...EMPTY_STEP, ...given };
    const draft = this.#draft(step);
    if (draft.notes.length + draft.removed.length + step.refused.length + draft.accepted.length > 0) {
      this.#write(draft, step);
    }
    if (draft.sequence > this.#sequence) this.#sequence = draft.sequence;
    this.#nextId = draft.nextId;
    const changes: RowChange[] = [];
    for (const row of draft.removed) {
      this.#byPath.delete(row.path);
      this.#byId.delete(row.id);
      this.#details.delete(row.id);
      if (!this.#masked.delete(row.id)) changes.push({ before: row, after: null });
    }
    for (const { row } of draft.notes) {
      const before = this.#byId.get(row.id) ?? null;
      this.#byPath.set(row.path, row);
      this.#byId.set(row.id, row);
      this.#details.delete(row.id);
      // Its bytes were just read, so nothing hides it any more.
      changes.push({ before: this.#masked.delete(row.id) ? null : before, after: row });
    }
    for (const path of draft.accepted) this.#refused.delete(path);
    for (const file of step.refused) this.#refused.set(file.path, file);
    this.#tell(changes);
    const changed = draft.upserted.length + draft.removed.length > 0;
    return {
      delta: changed ? { upserted: draft.upserted, texts: draft.texts, removed: draft.removed } : null,
      stale: draft.stale,
    };
  }

  /** Details of a row; throws `index_unavailable` while the catalog's file has lost them. */
  details(row: CatalogRow): NoteDetails {
    const cached = this.#details.get(row.id);
    if (cached !== undefined) return cached;
    const found = this.#read((store) => store.details(row.id)) ?? this.#lost();
    this.#details.set(row.id, found);
    return found;
  }

  /** Properties of a row, at less cost than all its details. Throws as {@link details} does. */
  properties(row: CatalogRow): NoteDetails['properties'] {
    const cached = this.#details.get(row.id);
    if (cached !== undefined) return cached.properties;
    return this.#read((store) => store.properties(row.id)) ?? this.#lost();
  }

  /** Edges of a row. Throws as {@link details} does. */
  edges(row: CatalogRow): FlatEdges {
    return this.#read((store) => store.edges(row.id)) ?? this.#lost();
  }

  /** Edges of rows by id, the lowest first: at most `limit`, of those above `id`. Throws as {@link details} does. */
  edgesAfter(id: number, limit: number): readonly (readonly [number, FlatEdges])[] {
    if (this.#former === null && this.#store.isOpen) {
      try {
        return this.#store.edgesAfter(id, limit);
      } catch (error) {
        this.#fail(error);
        this.#lost();
      }
    }
    const above = [...this.#byId.keys()].filter((other) => other > id).sort((left, right) => left - right);
    return above.slice(0, limit).flatMap((next) => {
      const row = this.#byId.get(next);
      return row === undefined ? [] : [[next, this.edges(row)] as const];
    });
  }

  /** Rows written and ids removed after `sequence`; null when that is not known any more. */
  changesSince(sequence: number): { upserted: CatalogRow[]; removedIds: number[] } | null {
    if (!Number.isInteger(sequence) || sequence > this.#sequence || sequence < this.#floor) return null;
    const upserted = [...this.#byPath.values()].filter((row) => row.sequence > sequence);
    upserted.sort((left, right) => left.sequence - right.sequence || left.id - right.id);
    const removedIds = this.#read((store) => store.removedSince(sequence));
    return removedIds === null ? null : { upserted, removedIds };
  }

  /** True when the file was deleted, replaced or damaged and {@link mend} is due. */
  get needsMending(): boolean {
    return !this.#closed && (this.#storeFailure !== null || this.#store.condition !== 'sound');
  }

  /**
   * Makes a new file from the rows in memory, under the same catalog id, ids and sequence. Details are
   * missing afterwards: every row is to be refreshed with them, then {@link mended} called. Answers false
   * when the disk does not let it.
   */
  mend(): boolean {
    const isGone = this.#storeFailure === null && this.#store.condition === 'gone';
    const reason = isGone ? 'had been deleted while Grove ran' : 'was damaged while Grove ran';
    const former = isGone ? (this.#former ?? this.#store) : null;
    try {
      // Windows lets nobody remove an open file. What is damaged is of no more use; what is deleted, is.
      if (former === null) this.#store.close();
      const store = new CatalogStore(
        createCatalogFile(this.#path, this.#readingKey, this.catalogId),
        this.#path,
      );
      const notes = [...this.#byPath.values()].map(
        (row): StoredNote => ({ row, encoded: encodeRow(row), details: null }),
      );
      store.setComplete(false);
      store.write({
        sequence: this.#sequence,
        nextId: this.#nextId,
        notes,
        removedIds: [],
        refused: [...this.#refused.values()],
        accepted: [],
      });
      store.setFloor(this.#sequence);
      if (former !== null && former !== this.#store) this.#store.close();
      this.#former = former;
      this.#store = store;
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      this.#storeFailure = error instanceof Error ? error.message : String(error);
      return false;
    }
    this.#floor = this.#sequence;
    this.#storeFailure = null;
    this.#rebuilt = `The catalog ${reason}.`;
    return true;
  }

  /** Ends what {@link mend} began. */
  mended(): void {
    try {
      this.#store.setComplete(true);
    } catch (error) {
      this.#fail(error);
    }
    this.#former?.close();
    this.#former = null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#store.settled();
    this.#store.close();
    this.#former?.close();
    this.#listeners.clear();
  }

  #draft(step: CatalogStep): Draft {
    const draft: Draft = {
      sequence: this.#sequence,
      nextId: this.#nextId,
      notes: [],
      upserted: [],
      texts: [],
      removed: [],
      accepted: [],
      stale: [],
    };
    const isCurrent = (path: string, expected: CatalogRow | null): boolean => {
      if ((this.#byPath.get(path) ?? null) === expected) return true;
      draft.stale.push(path);
      return false;
    };
    const removals = step.removals.filter((row) => isCurrent(row.path, row));
    const upserts = step.upserts.filter(({ expected, reading }) => isCurrent(reading.row.path, expected));
    if (removals.length + upserts.length > 0) draft.sequence += 1;
    draft.removed.push(...removals);
    for (const { expected, reading } of upserts) {
      const id = expected?.id ?? draft.nextId++;
      const given: CatalogRow = { ...reading.row, id, sequence: draft.sequence };
      const encoded = encodeRow(given);
      // Decoded again, because a title cut out of a text keeps the whole text in memory.
      const row = decodeRow(id, given.path, draft.sequence, encoded, this.#devices);
      draft.notes.push({ row, encoded, details: reading.details });
      draft.upserted.push(row);
      draft.texts.push(reading.note);
      if (this.#refused.has(row.diskPath)) draft.accepted.push(row.diskPath);
    }
    for (const { expected, facts, diskPath, readAt, details } of step.refreshed) {
      if (!isCurrent(expected.path, expected)) continue;
      const file = { created: facts.created, modified: facts.modified };
      const row = { ...expected, stat: facts.key, file, diskPath, readAt };
      draft.notes.push({ row, encoded: encodeRow(row), details });
    }
    return draft;
  }

  #write(draft: Draft, step: CatalogStep): void {
    if (this.#storeFailure !== null) return;
    try {
      this.#store.write({
        sequence: draft.sequence,
        nextId: draft.nextId,
        notes: draft.notes,
        removedIds: draft.removed.map((row) => row.id),
        refused: step.refused,
        accepted: draft.accepted,
      });
    } catch (error) {
      this.#fail(error);
    }
  }

  #read<T>(read: (store: CatalogStore) => T | null): T | null {
    try {
      const found = this.#store.isOpen ? read(this.#store) : null;
      return found ?? (this.#former === null ? null : read(this.#former));
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  #lost(): never {
    throw new GroveError('index_unavailable', { reason: this.#storeFailure });
  }

  #fail(error: unknown): void {
    // A row that SQLite hands out and that is no JSON is damage too.
    const isDamage = sqliteCode(error) !== undefined || error instanceof SyntaxError;
    if (!isDamage || !(error instanceof Error)) throw error;
    this.#storeFailure = error.message;
  }

  #tell(changes: readonly RowChange[]): void {
    if (changes.length === 0) return;
    for (const listener of this.#listeners) listener(changes);
  }
}

interface Draft {
  sequence: number;
  nextId: number;
  readonly notes: StoredNote[];
  readonly upserted: CatalogRow[];
  readonly texts: NoteText[];
  readonly removed: CatalogRow[];
  readonly accepted: string[];
  readonly stale: string[];
}
