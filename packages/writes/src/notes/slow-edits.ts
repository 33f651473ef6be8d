import { GroveError } from '@grove/core';
import type { TextEdit } from '@grove/markdown';

/** How often a note may change while its edit is worked out. */
const TRIES = 5;
/** An edit that took less, in milliseconds, is worked out in the critical section the next time. */
const QUICK_MS = 50;
/** Steps that a search may take where others wait: its pattern may look at the rest of the text from each place. */
const FEW_STEPS = 50_000_000;
/** Longer patterns take time to compile, in UTF-16 units. */
const SHORT_PATTERNS = 1_000;

/** Met in the critical section: an edit that takes too long to be worked out there. */
class Unprepared extends Error {
  override readonly name = 'Unprepared';
}

/** True when edits search by expressions that could keep other writers waiting. */
export function mayBeSlow(text: string, edits: readonly TextEdit[]): boolean {
  const patterns = edits.filter(({ regex }) => regex);
  const length = patterns.reduce((sum, { find }) => sum + find.length, 0);
  return patterns.length * text.length ** 2 > FEW_STEPS || length > SHORT_PATTERNS;
}

/**
 * Edits by regular expressions, which may take seconds, of one call. Other writers must not wait for that: the critical
 * section finds out which text is there and is left, the edits are worked out, and it is entered again, where what was
 * worked out stands as long as the text does.
 */
export class SlowEdits<Change> {
  readonly #known = new Map<number, { readonly text: string; readonly change: Promise<Change> }>();
  #isOutside = false;
  #isQuick = false;

  /**
   * The change that an operation makes of a text, in the critical section only where it was worked out before.
   *
   * @param index of the operation in its call
   */
  async change(index: number, text: string, edit: () => Promise<Change>): Promise<Change> {
    const known = this.#known.get(index);
    if (known?.text === text) return await known.change;
    if (!this.#isOutside && !this.#isQuick)
      throw new Unprepared('This edit is worked out before others have to wait for it.');
    const change = edit();
    this.#known.set(index, { text, change });
    return await change;
  }

  /**
   * Runs a critical section, again when it met an edit that was not worked out.
   *
   * @param prepare plans the same as the section, on the files that it met
   * @throws GroveError `write_conflict` when the note changed each time
   */
  async around<Result>(path: string, section: () => Promise<Result>, prepare: () => Promise<unknown>) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await section();
      } catch (error) {
        if (!(error instanceof Unprepared)) throw error;
        if (tries === TRIES) throw new GroveError('write_conflict', { path }, { cause: error });
      }
      this.#isOutside = true;
      const start = performance.now();
      try {
        await prepare();
      } finally {
        this.#isOutside = false;
        this.#isQuick = performance.now() - start < QUICK_MS;
      }
    }
  }
}
