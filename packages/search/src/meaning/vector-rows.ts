import { IdSet, VectorSet } from '@grove/native';
import type { NoteSet } from '../engine/port.ts';

/** A note by the best of its texts. */
export interface MeaningHit {
  readonly note: number;
  /** Number of the text. */
  readonly row: number;
  /** Cosine, -1 to 1. */
  readonly score: number;
}

/** What is put into memory: a vector under the number of its text. */
export interface VectorRow {
  readonly row: number;
  readonly note: number;
  readonly vector: Float32Array;
}

/**
 * The vectors of one model in memory, searched exactly. Changes are made one after the other, each looking up what it
 * changes when its turn comes: a number that was given away meanwhile gets no vector of another text.
 */
export class VectorRows {
  readonly #dimensions: number;
  #set: VectorSet;
  #known = new Set<number>();
  #tail: Promise<unknown> = Promise.resolve();

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#set = new VectorSet(dimensions);
  }

  get size(): number {
    return this.#set.size;
  }

  /** Memory of the vectors, in bytes. */
  get bytes(): number {
    return this.#set.bytes;
  }

  has(row: number): boolean {
    return this.#known.has(row);
  }

  /** Adds what `rows` gives when its turn has come; found by every search from then on. */
  put(rows: () => readonly VectorRow[]): Promise<void> {
    return this.#inTurn(async () => {
      const added = rows();
      if (added.length === 0) return;
      const vectors = new Float32Array(added.length * this.#dimensions);
      for (const [at, { vector }] of added.entries()) vectors.set(vector, at * this.#dimensions);
      await this.#set.upsert(
        Uint32Array.from(added, ({ row }) => row),
        Uint32Array.from(added, ({ note }) => note),
        vectors,
      );
      for (const { row } of added) this.#known.add(row);
    });
  }

  remove(rows: readonly number[]): Promise<void> {
    return this.#inTurn(async () => {
      this.#set.remove(Uint32Array.from(rows));
      for (const row of rows) this.#known.delete(row);
    });
  }

  clear(): Promise<void> {
    return this.#inTurn(async () => {
      this.#set = new VectorSet(this.#dimensions);
      this.#known = new Set();
    });
  }

  /** Notes of the View (and of `filter`) whose best text is nearest, nearest first; equal ones by note. */
  async search(
    vector: Float32Array,
    { view, filter, limit }: { view: NoteSet; filter: NoteSet | null; limit: number },
  ): Promise<readonly MeaningHit[]> {
    const { rows, notes, scores } = await this.#set.search(vector, {
      limit,
      view: asIdSet(view),
      perNote: true,
      ...(filter === null ? {} : { filter: asIdSet(filter) }),
    });
    return Array.from(notes, (note, at) => ({ note, row: rows[at]!, score: scores[at]! }));
  }

  /** The best text of each of these notes; notes without a vector are left out. */
  async best(vector: Float32Array, notes: readonly number[]): Promise<readonly MeaningHit[]> {
    const { rows, scores } = await this.#set.best(vector, Uint32Array.from(notes));
    return notes
      .map((note, at) => ({ note, row: rows[at]!, score: scores[at]! }))
      .filter(({ score }) => !Number.isNaN(score));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#tail.then(work);
    this.#tail = done.catch(() => {});
    return done;
  }
}

function asIdSet(set: NoteSet): IdSet {
  if (set instanceof IdSet) return set;
  throw new TypeError('The set was made by another engine.');
}
