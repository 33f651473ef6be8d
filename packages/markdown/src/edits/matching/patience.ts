import { GroveError } from '@grove/core';

/** Milliseconds that the regular expressions of one call may take together. */
const PATIENCE_MS = 4_000;

/**
 * The time that the patterns of one call share: each is stopped by the engine by itself, but a hundred that stay just
 * below that would keep other writers waiting for minutes.
 *
 * @example await new Patience().spend(() => regex.matchesAsync(text, 100))
 */
export class Patience {
  #left: number;

  /** @param milliseconds how long all patterns together may take */
  constructor(milliseconds = PATIENCE_MS) {
    this.#left = milliseconds;
  }

  /** Runs one search. Throws `bad_regex` when earlier ones have used up the time. */
  async spend<Result>(search: () => Promise<Result>): Promise<Result> {
    if (this.#left <= 0)
      throw new GroveError('bad_regex', {
        name: 'find',
        reason: 'the expressions of this call take too long together',
      });
    const start = performance.now();
    try {
      return await search();
    } finally {
      this.#left -= performance.now() - start;
    }
  }
}
