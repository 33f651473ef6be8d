import type { NativeVectorSet } from './binding.ts';
import type { IdSet } from './id-set.ts';
import { native } from './native.ts';

export interface VectorSearchOptions {
  limit: number;
  /** Only rows of these notes; null: all rows. */
  view: IdSet | null;
  /** A further restriction. */
  filter?: IdSet;
  /** Only the best row of each note. */
  perNote?: boolean;
}

export interface VectorMatches {
  rows: Uint32Array;
  notes: Uint32Array;
  /** Dot products, descending; ties by note, then row. */
  scores: Float32Array;
}

/**
 * Vectors in memory, searched exactly. A row is one vector (a chunk) and belongs to one note. Rows are scanned as
 * 8-bit integers; every row whose rounding error leaves it a chance is scored again from its floats.
 *
 * @example
 * const set = new VectorSet(384);
 * await set.upsert(Uint32Array.of(7), Uint32Array.of(1), vector);
 * (await set.search(query, { limit: 10, view: null })).notes; // Uint32Array [ 1 ]
 */
export class VectorSet {
  readonly #native: NativeVectorSet;

  /** @throws Error `bad_argument` when `dimensions` is not between 1 and 8192 */
  constructor(dimensions: number) {
    this.#native = new native.VectorSet(dimensions);
  }

  /** Number of rows. */
  get size(): number {
    return this.#native.size;
  }

  /** Memory of the rows, in bytes. */
  get bytes(): number {
    return this.#native.bytes;
  }

  /**
   * Adds rows, or replaces those with the same number; seen by every search called after it.
   *
   * @param vectors the rows one after another; finite numbers
   * @throws Error `bad_argument` when lengths do not fit or a number is not finite
   */
  async upsert(rows: Uint32Array, notes: Uint32Array, vectors: Float32Array): Promise<void> {
    await this.#native.upsert(rows, notes, vectors);
  }

  /** Removes rows; numbers that are not there are ignored. */
  remove(rows: Uint32Array): void {
    this.#native.remove(rows);
  }

  /** The rows (or with `perNote` the notes) with the greatest dot product. */
  search(query: Float32Array, options: VectorSearchOptions): Promise<VectorMatches> {
    const { limit, view, filter, perNote = false } = options;
    return this.#native.search(query, limit, perNote, view?.handle ?? null, filter?.handle ?? null);
  }

  /** For each note its best row and that row's score; row 0xffffffff and score NaN for a note that has none. */
  best(query: Float32Array, notes: Uint32Array): Promise<{ rows: Uint32Array; scores: Float32Array }> {
    return this.#native.best(query, notes);
  }
}
