import { IdSet, VectorSet } from '@grove/native';
import type { NoteSet } from '../engine/port.ts';

/** A note by the best of its texts. */
export interface MeaningHit {
  readonly note: number;
  /** Cosine, -1 to 1. */
  readonly score: number;
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

  /** Notes of the View (and of `filter`) whose best text is nearest, nearest first; equal ones by note. */
  async search(
    vector: Float32Array,
    { view, filter, limit }: { view: NoteSet; filter: NoteSet | null; limit: number },
  ): Promise<readonly MeaningHit[]> {
    const options = {
      limit,
      view: asIdSet(view),
      perNote: true,
      ...(filter === null ? {} : { filter: asIdSet(filter) }),
    };
    const found = await Promise.all([
      this.#heads.search(vector, options),
      this.#parts.search(vector, options),
    ]);
    const best = new Map<number, number>();
    for (const { notes, scores } of found)
      for (const [at, note] of notes.entries())
        best.set(note, Math.max(best.get(note) ?? Number.NEGATIVE_INFINITY, scores[at]!));
    // A note whose better text is in neither list has enough others before it, by that text.
    return [...best]
      .map(([note, score]) => ({ note, score }))
      .sort((a, b) => b.score - a.score || a.note - b.note)
      .slice(0, limit);
  }

  /** The best score of each of these notes; notes without a vector are left out. */
  async best(vector: Float32Array, notes: readonly number[]): Promise<readonly MeaningHit[]> {
    const asked = Uint32Array.from(notes);
    const found = await Promise.all([this.#heads.best(vector, asked), this.#parts.best(vector, asked)]);
    return notes.flatMap((note, at) => {
      const scores = found.map((set) => set.scores[at]!).filter((score) => !Number.isNaN(score));
      return scores.length === 0 ? [] : [{ note, score: Math.max(...scores) }];
    });
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
