import { join } from 'node:path';
import { InTurn } from '@grove/core';
import { IdSet, VECTOR_KEY_BYTES, VectorSet } from '@grove/native';
import type { NoteSet } from '../engine/port.ts';
import type { TextColumns, TextRecord } from './records/text-columns.ts';

/** Notes that are looked at by either text, at least: the first by both is seldom the first by one. */
const LEAST_CANDIDATES = 300;

/** A note and how near it is. */
export interface MeaningHit {
  readonly note: number;
  /** The mean of two cosines, of its head and of its nearest part: what it is about, and what stands in it. */
  readonly score: number;
}

/** Gives notes that may be among the nearest by their parts, without a look at every part. */
export type NearParts = (vector: Float32Array) => Promise<readonly number[] | null>;

/** What is put into memory: a vector under the number of its text. */
export interface VectorRow {
  readonly row: number;
  readonly note: number;
  /** Of the text. */
  readonly key: string;
  /** True for the text of the note's head, which stands for all of it. */
  readonly isHead: boolean;
  readonly vector: Float32Array;
}

/** Gives every text that notes have. */
export type GiveTexts = () => Promise<TextColumns>;

/** What a comparison with all texts came to. */
export interface Leveled {
  /** Texts without a vector. */
  readonly lacking: readonly TextRecord[];
  /** How many vectors went, for no note has their text. */
  readonly removed: number;
}

/** Files of {@link VectorRows.save}. */
const FILES = { heads: 'heads.snapshot', parts: 'parts.snapshot' } as const;

/**
 * The vectors of one model in memory. Changes are made one after the other, each looking up what it
 * changes when its turn comes: a number that was given away meanwhile gets no vector of another text.
 */
export class VectorRows {
  readonly #dimensions: number;
  /** Apart: a note is judged by its head and by its nearest part. */
  #heads: VectorSet;
  #parts: VectorSet;
  readonly #changes = new InTurn();
  #version = 0;
  readonly fileNames: readonly string[] = Object.values(FILES);

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#heads = new VectorSet(dimensions);
    this.#parts = new VectorSet(dimensions);
  }

  get size(): number {
    return this.#heads.size + this.#parts.size;
  }

  /** Memory (bytes) of the vectors. */
  get bytes(): number {
    return this.#heads.bytes + this.#parts.bytes;
  }

  /** Grows with each change. */
  get version(): number {
    return this.#version;
  }

  has(row: number): boolean {
    return this.#heads.has(row) || this.#parts.has(row);
  }

  /** Adds what `rows` gives when its turn has come; found by every search from then on. */
  put(rows: () => readonly VectorRow[]): Promise<void> {
    return this.#changes.run(async () => {
      const added = rows();
      if (added.length > 0) this.#version += 1;
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
    return this.#changes.run(async () => {
      if (rows.length > 0) this.#version += 1;
      const numbers = Uint32Array.from(rows);
      this.#heads.remove(numbers);
      this.#parts.remove(numbers);
    });
  }

  clear(): Promise<void> {
    return this.#changes.run(async () => this.#empty());
  }

  /**
   * Reads what {@link save} wrote, and keeps of it the vectors whose texts are still there.
   *
   * @param texts gives every text that notes have; null: they are known to be those of the files
   * @returns the texts without a vector; null, and nothing is read, when there are no files under this label that are whole
   */
  restore(dir: string, label: string, texts: GiveTexts | null): Promise<Leveled | null> {
    return this.#changes.run(async () => {
      const [heads, parts] = await Promise.all([
        this.#heads.load(join(dir, FILES.heads), label),
        this.#parts.load(join(dir, FILES.parts), label),
      ]);
      this.#version += 1;
      if (!heads || !parts) {
        this.#empty();
        return null;
      }
      return texts === null ? { lacking: [], removed: 0 } : await this.#retain(texts);
    });
  }

  /** Keeps the vectors whose texts are still there. */
  retain(texts: GiveTexts): Promise<Leveled> {
    return this.#changes.run(() => this.#retain(texts));
  }

  /** Writes all to files; searches and changes go on. Rejects when the disk refuses. */
  async save(dir: string, label: string): Promise<void> {
    const [heads, parts] = [this.#heads, this.#parts];
    await heads.save(join(dir, FILES.heads), label);
    await parts.save(join(dir, FILES.parts), label);
  }

  /**
   * Notes of the View (and of `filter`), in no order: the `limit` (or more) nearest by their head and those by their parts,
   * with all that are level with the last of these, so that no number decides who is found. Among many, as good as all of
   * these: see `VectorSet` of `@grove/native`.
   *
   * @param nearParts looks for the parts instead of a comparison with each; where it gives null, each is compared
   */
  async search(
    vector: Float32Array,
    { view, filter, limit }: { view: NoteSet; filter: NoteSet | null; limit: number },
    nearParts: NearParts | null = null,
  ): Promise<readonly MeaningHit[]> {
    const options = {
      limit: Math.max(limit, LEAST_CANDIDATES),
      view: asIdSet(view),
      ...(filter === null ? {} : { filter: asIdSet(filter) }),
    };
    const near = (await nearParts?.(vector)) ?? null;
    if (near === null) {
      const { notes, scores } = await this.#heads.nearest(this.#parts, vector, options);
      return Array.from(notes, (note, at) => ({ note, score: scores[at]! }));
    }
    const heads = await this.#heads.search(vector, { ...options, perNote: true });
    // Whatever an index gives: a note that is hidden or filtered out is none of the View's.
    const parts = near.filter((note) => view.has(note) && (filter === null || filter.has(note)));
    const found = await this.scores(vector, [...new Set([...heads.notes, ...parts])]);
    return Array.from(found, ([note, score]) => ({ note, score }));
  }

  /** How near each of these notes is; notes without a vector are left out. See {@link MeaningHit}. */
  async scores(vector: Float32Array, notes: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const means = await this.#heads.means(this.#parts, vector, Uint32Array.from(notes));
    const scores = new Map<number, number>();
    notes.forEach((note, at) => {
      if (!Number.isNaN(means[at]!)) scores.set(note, means[at]!);
    });
    return scores;
  }

  /** Of each of these notes the part that is nearest, by its number; notes without parts are left out. */
  async nearestParts(vector: Float32Array, notes: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const { rows, scores } = await this.#parts.best(vector, Uint32Array.from(notes));
    return new Map(
      notes.flatMap((note, at) => (Number.isNaN(scores[at]!) ? [] : [[note, rows[at]!] as const])),
    );
  }

  /** The middle of each of these notes' vectors, of length 1; notes without vectors are left out. */
  async middles(notes: readonly number[]): Promise<ReadonlyMap<number, Float32Array>> {
    const asked = Uint32Array.from(notes);
    const [heads, parts] = await Promise.all([this.#heads.sums(asked), this.#parts.sums(asked)]);
    const dimensions = this.#dimensions;
    return new Map(
      notes.flatMap((note, at) => {
        const middle = new Float64Array(dimensions);
        let squares = 0;
        for (let place = 0; place < dimensions; place += 1) {
          const value = heads.sums[at * dimensions + place]! + parts.sums[at * dimensions + place]!;
          middle[place] = value;
          squares += value * value;
        }
        const length = Math.sqrt(squares);
        return length === 0 ? [] : [[note, new Float32Array(middle.map((value) => value / length))] as const];
      }),
    );
  }

  async #retain(texts: GiveTexts): Promise<Leveled> {
    const { heads, parts } = await texts();
    const { size } = this;
    const lacking = await Promise.all([
      this.#heads.retain(...heads.arrays()),
      this.#parts.retain(...parts.arrays()),
    ]);
    const removed = size - this.size;
    if (removed > 0) this.#version += 1;
    return { lacking: [heads.at(lacking[0], true), parts.at(lacking[1], false)].flat(), removed };
  }

  #empty(): void {
    this.#version += 1;
    this.#heads = new VectorSet(this.#dimensions);
    this.#parts = new VectorSet(this.#dimensions);
  }

  async #add(set: VectorSet, added: readonly VectorRow[]): Promise<void> {
    if (added.length === 0) return;
    const vectors = new Float32Array(added.length * this.#dimensions);
    const keys = Buffer.alloc(added.length * VECTOR_KEY_BYTES);
    for (const [at, { vector, key }] of added.entries()) {
      vectors.set(vector, at * this.#dimensions);
      keys.write(key, at * VECTOR_KEY_BYTES, VECTOR_KEY_BYTES, 'base64url');
    }
    const [rows, notes] = [added.map(({ row }) => row), added.map(({ note }) => note)];
    await set.upsert(Uint32Array.from(rows), Uint32Array.from(notes), vectors, keys);
  }
}

function asIdSet(set: NoteSet): IdSet {
  if (set instanceof IdSet) return set;
  throw new TypeError('The set was made by another engine.');
}
