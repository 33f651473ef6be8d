import { Slices } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';
import type { AlikePair } from '../contract.ts';
import { inTime } from '../meaning/in-time.ts';
import type { MeaningIndex } from '../meaning/meaning-index.ts';

/** The cosine of the middles of two notes from which on they say nearly the same. */
const ALIKE = 0.95;
/** Notes of fewer words are alike by their form rather than by what they say. */
const LEAST_WORDS = 20;
/** The shorter of two has at least this part of the words of the longer one. */
const LENGTHS = 0.8;
/** Notes whose vectors are fetched at once. */
const BLOCK = 256;

/**
 * Pairs of notes that say nearly the same, found by comparing each with all others of about its length. What two notes
 * are to each other depends on them alone, so one search serves every View. Notes that stay as they are are compared
 * once.
 */
export class AlikeNotes {
  readonly #index: MeaningIndex;
  readonly #view: View;
  readonly #stop = new AbortController();
  /** The content with which a note was compared, by its id. */
  readonly #compared = new Map<number, string>();
  readonly #pairs = new Map<number, Map<number, number>>();
  /** What of the notes was there when all of them had been compared. */
  #state: string | null = null;
  #running: Promise<void> | null = null;

  /** @param view all notes that are embedded */
  constructor(index: MeaningIndex, view: View) {
    this.#index = index;
    this.#view = view;
  }

  /**
   * The pairs of members of a View; `isWhole` is false while notes are still compared, which goes on when `patienceMs`
   * are over.
   */
  async pairs(
    view: View,
    patienceMs: number,
  ): Promise<{ readonly pairs: readonly AlikePair[]; readonly isWhole: boolean }> {
    this.#running ??= this.#update().finally(() => {
      this.#running = null;
    });
    // Whoever called it off asks no more.
    this.#running.catch(() => {});
    const isWhole = await inTime(
      this.#running.then(() => true),
      patienceMs,
      false,
    );
    return { pairs: this.#pairsIn(view), isWhole };
  }

  /** Ends what is being compared. */
  stop(): void {
    this.#stop.abort();
  }

  #pairsIn(view: View): AlikePair[] {
    const isNow = (id: number): NoteRow | null => {
      const row = view.byId(id);
      return row !== null && this.#compared.get(id) === row.contentHash ? row : null;
    };
    const found: AlikePair[] = [];
    for (const [id, others] of this.#pairs) {
      for (const [other, likeness] of others) {
        const [a, b] = id < other ? [isNow(id), isNow(other)] : [null, null];
        if (a !== null && b !== null) found.push({ a, b, likeness });
      }
    }
    return found;
  }

  async #update(): Promise<void> {
    const state = `${this.#view.generation} ${this.#index.lacking(this.#view.ids())}`;
    if (state === this.#state) return;
    const rows = this.#view
      .notes()
      .filter(({ id, words }) => words >= LEAST_WORDS && this.#index.lacking(Uint32Array.of(id)) === 0)
      .sort((a, b) => a.words - b.words);
    const here = new Set(rows.map(({ id }) => id));
    for (const id of this.#compared.keys()) if (!here.has(id)) this.#forget(id);
    const fresh = rows.filter(({ id, contentHash }) => this.#compared.get(id) !== contentHash);
    for (const { id } of fresh) this.#forget(id);
    const slices = new Slices(this.#stop.signal);
    const window = new Window(this.#index, rows);
    for (let from = 0; from < fresh.length; from += BLOCK) {
      const block = fresh.slice(from, from + BLOCK);
      await window.move(block[0]!.words * LENGTHS, block.at(-1)!.words / LENGTHS);
      for (const row of block) {
        this.#compare(row, window);
        if (slices.spent) await slices.rest();
      }
    }
    this.#state = state;
  }

  /** With every note that was compared itself; those to come compare themselves with this one. */
  #compare({ id, words, contentHash }: NoteRow, window: Window): void {
    this.#compared.set(id, contentHash);
    const vector = window.vectors.get(id);
    if (vector === undefined) return;
    for (const other of window.between(words * LENGTHS, words / LENGTHS)) {
      const theirs =
        other.id === id || !this.#compared.has(other.id) ? undefined : window.vectors.get(other.id);
      const likeness = theirs === undefined ? 0 : dot(vector, theirs);
      if (likeness < ALIKE) continue;
      this.#pairsOf(id).set(other.id, likeness);
      this.#pairsOf(other.id).set(id, likeness);
    }
  }

  #pairsOf(id: number): Map<number, number> {
    const pairs = this.#pairs.get(id) ?? new Map<number, number>();
    this.#pairs.set(id, pairs);
    return pairs;
  }

  #forget(id: number): void {
    this.#compared.delete(id);
    for (const other of this.#pairs.get(id)?.keys() ?? []) this.#pairs.get(other)?.delete(id);
    this.#pairs.delete(id);
  }
}

/** The middles of notes of about one length, of notes in the order of their words. */
class Window {
  readonly vectors = new Map<number, Float32Array>();
  readonly #index: MeaningIndex;
  readonly #rows: readonly NoteRow[];
  #from = 0;
  #to = 0;

  constructor(index: MeaningIndex, rows: readonly NoteRow[]) {
    this.#index = index;
    this.#rows = rows;
  }

  /** Forwards only. */
  async move(least: number, most: number): Promise<void> {
    const first = firstOf(this.#rows, least);
    for (const { id } of this.#rows.slice(this.#from, first)) this.vectors.delete(id);
    this.#from = first;
    this.#to = Math.max(this.#to, first);
    while (this.#to < this.#rows.length && this.#rows[this.#to]!.words <= most) {
      const block = this.#rows.slice(this.#to, this.#to + BLOCK).filter(({ words }) => words <= most);
      const middles = await this.#index.middles(block.map(({ id }) => id));
      for (const [id, vector] of middles) this.vectors.set(id, vector);
      this.#to += block.length;
    }
  }

  *between(least: number, most: number): Generator<NoteRow> {
    for (let at = firstOf(this.#rows, least); at < this.#to; at += 1) {
      const row = this.#rows[at]!;
      if (row.words > most) return;
      yield row;
    }
  }
}

/** The first place of a row with at least so many words. */
function firstOf(rows: readonly NoteRow[], least: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.words < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[at]!;
  return sum;
}
