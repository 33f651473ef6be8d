import type { NativeVectorSet, NoteScores } from './binding.ts';
import type { IdSet } from './id-set.ts';
import { native } from './native.ts';

/** Rows copied in one call: copying must not hold the event loop. */
const ROWS_PER_CALL = 512;
/** Bytes of what names the text that a row was made of. */
export const VECTOR_KEY_BYTES = 16;

export interface VectorSearchOptions {
  /** How many are found; those that are as near as the last one come with them. */
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
  /** Dot products, descending; equal ones by note, then row. */
  scores: Float32Array;
}

/**
 * Vectors in memory. A row is one vector (a chunk) and belongs to one note. It is kept as 8-bit
 * integers with a scale of its own, about one byte a dimension; a score is the dot product of these and of the query as
 * integers of up to 16 bits. Such sums are exact: a score depends on the query and the row alone, on any machine, and
 * differs from that of the floats by about a hundredth of a cosine at most.
 *
 * A search among more than 16,384 rows first looks at all of them in two bits a number, and compares those that are as
 * near as the best ten times `limit`; among fewer each is compared. A row's place in that first look depends on the query
 * and the row alone as well, so that a View is searched as a set of only its rows would be.
 *
 * @example
 * const set = new VectorSet(384);
 * await set.upsert(Uint32Array.of(7), Uint32Array.of(1), vector);
 * (await set.search(query, { limit: 10, view: null })).notes; // Uint32Array [ 1 ]
 */
export class VectorSet {
  readonly #native: NativeVectorSet;
  readonly #dimensions: number;

  /** @throws Error `bad_argument` when `dimensions` is not between 1 and 8192 */
  constructor(dimensions: number) {
    this.#native = new native.VectorSet(dimensions);
    this.#dimensions = dimensions;
  }

  /** Number of rows. */
  get size(): number {
    return this.#native.size;
  }

  /** True for a row that was added and not removed since, whether or not its call has resolved. */
  has(row: number): boolean {
    return this.#native.has(row);
  }

  /** Memory (bytes) of the rows that were taken in. */
  get bytes(): number {
    return this.#native.bytes;
  }

  /**
   * Adds rows, or replaces those with the same number; seen by every search called after it. More than 512 rows
   * go in by parts, one after another, and are all seen once it resolves.
   *
   * @param vectors the rows one after another; finite numbers
   * @param keys 16 bytes a row that name what it was made of, for {@link retain}; left out: zeros
   * @throws Error `bad_argument` when lengths do not fit or a number is not finite
   */
  async upsert(
    rows: Uint32Array,
    notes: Uint32Array,
    vectors: Float32Array,
    keys?: Uint8Array,
  ): Promise<void> {
    const split = rows.length > ROWS_PER_CALL && vectors.length === rows.length * this.#dimensions;
    const step = split ? ROWS_PER_CALL : Math.max(rows.length, 1);
    for (let from = 0; from === 0 || from < rows.length; from += step) {
      const to = from + step;
      const part = split ? vectors.subarray(from * this.#dimensions, to * this.#dimensions) : vectors;
      const partKeys = split ? keys?.subarray(from * VECTOR_KEY_BYTES, to * VECTOR_KEY_BYTES) : keys;
      const partNotes = split ? notes.subarray(from, to) : notes;
      await this.#native.upsert(rows.subarray(from, to), partNotes, part, partKeys);
    }
  }

  /** Removes rows; numbers that are not there are ignored. */
  remove(rows: Uint32Array): void {
    this.#native.remove(rows);
  }

  /**
   * The rows (or with `perNote` the notes) with the greatest dot product. Which of equal ones are the last is not
   * decided by their numbers: there may be more than `limit`.
   */
  search(query: Float32Array, options: VectorSearchOptions): Promise<VectorMatches> {
    const { limit, view, filter, perNote = false } = options;
    return this.#native.search(query, limit, perNote, view?.handle ?? null, filter?.handle ?? null);
  }

  /** For each note its best row (of equal ones the lowest) and that row's score; row 0xffffffff and score NaN for a note that has none. */
  async best(query: Float32Array, notes: Uint32Array): Promise<{ rows: Uint32Array; scores: Float32Array }> {
    return this.#native.bestNow(query, notes) ?? (await this.#native.best(query, notes));
  }

  /**
   * The notes that a search by notes finds in this set or in `other`, in no order, each with the mean of its best rows of
   * both, or that of the one that has rows of it.
   */
  nearest(
    other: VectorSet,
    query: Float32Array,
    { limit, view, filter }: Omit<VectorSearchOptions, 'perNote'>,
  ): Promise<NoteScores> {
    const [among, within] = [view?.handle ?? null, filter?.handle ?? null];
    return this.#native.nearest(other.#native, query, limit, among, within);
  }

  /** For each note the mean of its best rows of this set and of `other`, as {@link nearest} gives it; NaN without rows. */
  async means(other: VectorSet, query: Float32Array, notes: Uint32Array): Promise<Float32Array> {
    const atOnce = this.#native.meansNow(other.#native, query, notes);
    return atOnce ?? (await this.#native.means(other.#native, query, notes));
  }

  /**
   * For each note the sum of its rows, one after another, and how many they are. It depends on nothing but these rows:
   * they are added in the order of their keys.
   */
  async sums(notes: Uint32Array): Promise<{ sums: Float64Array; counts: Uint32Array }> {
    return this.#native.sumsNow(notes) ?? (await this.#native.sums(notes));
  }

  /**
   * Writes the rows to a file, by rename; searches and changes go on. Of rows that change meanwhile it may hold what they
   * were, what they are, or nothing: whoever reads it keeps what still holds ({@link retain}).
   *
   * @param label what the rows belong to, such as the model; {@link load} asks for the same
   * @throws Error `snapshot_failed` when the disk refuses
   */
  async save(path: string, label: string): Promise<void> {
    await this.#native.save(path, label);
  }

  /**
   * Reads the rows of a file that {@link save} wrote into this set, which must be empty and not be changed meanwhile.
   *
   * @returns false, and nothing is read, when there is no such file, or it is damaged or of another label or other
   *   dimensions
   * @example
   * if (!(await set.load('/data/parts.snapshot', 'bge-small/384'))) await readFromDisk(set);
   */
  load(path: string, label: string): Promise<boolean> {
    return this.#native.load(path, label);
  }

  /**
   * Removes every row but those that are asked for with the same note and key.
   *
   * @returns the places, in what was asked for, of rows that are not there so
   */
  retain(rows: Uint32Array, notes: Uint32Array, keys: Uint8Array): Promise<Uint32Array> {
    return this.#native.retain(rows, notes, keys);
  }
}
