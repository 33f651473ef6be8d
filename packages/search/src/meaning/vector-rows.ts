import { IdSet, type VectorMatches, VectorSet } from '@grove/native';
import type { NoteSet } from '../engine/port.ts';

/** A note by one of its texts. */
export interface MeaningHit {
  readonly note: number;
  /** Cosine, -1 to 1. */
  readonly score: number;
}

/** The same of the head of each note, which stands for all of it, and of the best of its parts. */
export interface ByHeadAndPart<T> {
  readonly heads: T;
  readonly parts: T;
}

/** What is put into memory: a vector under the number of its text. */
export interface VectorRow {
  readonly row: number;
  readonly note: number;
  /** True for the text of the note's head, which stands for all of it. */
  readonly isHead: boolean;
  readonly vector: Float32Array;
}

/**
 * The vectors of one model in memory, searched exactly. Changes are made one after the other, each looking up what it
 * changes when its turn comes: a number that was given away meanwhile gets no vector of another text.
 */
export class VectorRows {
  readonly #dimensions: number;
  /** Apart, so that of a note that its head brings up the nearest part can be told. */
  #heads: VectorSet;
  #parts: VectorSet;
  #known = new Set<number>();
  #tail: Promise<unknown> = Promise.resolve();

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#heads = new VectorSet(dimensions);
    this.#parts = new VectorSet(dimensions);
  }

  get size(): number {
    return this.#heads.size + this.#parts.size;
  }

  has(row: number): boolean {
    return this.#known.has(row);
  }

  /** Adds what `rows` gives when its turn has come; found by every search from then on. */
  put(rows: () => readonly VectorRow[]): Promise<void> {
    return this.#inTurn(async () => {
      const added = rows();
      await this.#add(
        this.#heads,
        added.filter(({ isHead }) => isHead),
      );
      await this.#add(
        this.#parts,
        added.filter(({ isHead }) => !isHead),
      );
    });
  }

  remove(rows: readonly number[]): Promise<void> {
    return this.#inTurn(async () => {
      const numbers = Uint32Array.from(rows);
      this.#heads.remove(numbers);
      this.#parts.remove(numbers);
      for (const row of rows) this.#known.delete(row);
    });
  }

  clear(): Promise<void> {
    return this.#inTurn(async () => {
      this.#heads = new VectorSet(this.#dimensions);
      this.#parts = new VectorSet(this.#dimensions);
      this.#known = new Set();
    });
  }

  /** Notes of the View (and of `filter`), nearest first, by their heads and by their best parts. */
  async search(
    vector: Float32Array,
    { view, filter, limit }: { view: NoteSet; filter: NoteSet | null; limit: number },
  ): Promise<ByHeadAndPart<readonly MeaningHit[]>> {
    const options = {
      limit,
      view: asIdSet(view),
      perNote: true,
      ...(filter === null ? {} : { filter: asIdSet(filter) }),
    };
    const list = ({ notes, scores }: VectorMatches) =>
      Array.from(notes, (note, at) => ({ note, score: scores[at]! }));
    const [heads, parts] = await Promise.all([
      this.#heads.search(vector, options),
      this.#parts.search(vector, options),
    ]);
    return { heads: list(heads), parts: list(parts) };
  }

  /** The scores of these notes by their heads and by their best parts; notes without a vector are left out. */
  async scores(
    vector: Float32Array,
    notes: readonly number[],
  ): Promise<ByHeadAndPart<ReadonlyMap<number, number>>> {
    const asked = Uint32Array.from(notes);
    const [heads, parts] = await Promise.all([
      this.#heads.best(vector, asked),
      this.#parts.best(vector, asked),
    ]);
    const known = (scores: Float32Array) =>
      new Map(
        [...notes.entries()]
          .map(([at, note]) => [note, scores[at]!] as const)
          .filter(([, score]) => !Number.isNaN(score)),
      );
    return { heads: known(heads.scores), parts: known(parts.scores) };
  }

  /** Of each of these notes the part that is nearest, by its number; notes without parts are left out. */
  async nearestParts(vector: Float32Array, notes: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const { rows, scores } = await this.#parts.best(vector, Uint32Array.from(notes));
    return new Map(
      notes.flatMap((note, at) => (Number.isNaN(scores[at]!) ? [] : [[note, rows[at]!] as const])),
    );
  }

  async #add(set: VectorSet, added: readonly VectorRow[]): Promise<void> {
    if (added.length === 0) return;
    const vectors = new Float32Array(added.length * this.#dimensions);
    for (const [at, { vector }] of added.entries()) vectors.set(vector, at * this.#dimensions);
    const [rows, notes] = [added.map(({ row }) => row), added.map(({ note }) => note)];
    await set.upsert(Uint32Array.from(rows), Uint32Array.from(notes), vectors);
    for (const row of rows) this.#known.add(row);
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
