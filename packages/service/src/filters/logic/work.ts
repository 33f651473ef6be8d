import { refusedWhere } from '../refused-where.ts';

/** What one note may cost: tens of milliseconds, in which nothing else has its turn. */
const MOST_OF_NOTE = 100_000;

/** What all notes of a call may cost. */
const MOST_OF_CALL = 8_000_000;

/**
 * Counts what a filter costs and ends it when that is too much. Steps are counted rather than time, so that the same
 * call over the same notes ends the same way on every machine.
 */
export class Work {
  #left = MOST_OF_CALL;
  #leftBefore = MOST_OF_CALL;
  #leftOfNote = MOST_OF_NOTE;
  #path = '';

  /** Steps of the call so far. */
  get spent(): number {
    return MOST_OF_CALL - this.#left;
  }

  /** Begins with another note. */
  begin(path: string): void {
    this.#leftBefore = this.#left;
    this.#leftOfNote = MOST_OF_NOTE;
    this.#path = path;
  }

  /** Counts nothing of the note that was begun last. */
  takeBack(): void {
    this.#left = this.#leftBefore;
  }

  /**
   * Counts some steps; a step is a node of the tree once, an item of a list, or some dozens of characters.
   *
   * @throws GroveError `bad_filter`
   */
  spend(steps: number): void {
    this.#left -= steps;
    this.#leftOfNote -= steps;
    if (this.#leftOfNote < 0)
      throw refusedWhere(
        `it takes more than ${MOST_OF_NOTE.toLocaleString('en')} steps for "${this.#path}" alone; leave out lists inside lists`,
      );
    if (this.#left < 0)
      throw refusedWhere(
        `it takes more than ${MOST_OF_CALL.toLocaleString('en')} steps; narrow by folders, tags or types first`,
      );
  }
}
