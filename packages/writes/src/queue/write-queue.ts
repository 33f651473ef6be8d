import { GroveError } from '@grove/core';

/**
 * One writer at a time, in the order of arrival, and at most `limit` waiting.
 *
 * @example await queue.run(() => engine.write(request));
 */
export class WriteQueue {
  readonly #limit: number;
  #waiting = 0;
  #tail: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Writes accepted and not yet done. */
  get length(): number {
    return this.#waiting;
  }

  /**
   * Runs work when all before it is done.
   *
   * @throws GroveError `write_queue_full` when too many wait; `stopping` after `close`
   */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closed) return Promise.reject(new GroveError('stopping'));
    if (this.#waiting >= this.#limit)
      return Promise.reject(new GroveError('write_queue_full', { limit: this.#limit }));
    this.#waiting += 1;
    const result = this.#tail.then(work).finally(() => {
      this.#waiting -= 1;
    });
    // Whoever called hears of a failure; the next in line goes on.
    this.#tail = result.catch(() => {});
    return result;
  }

  /** Takes no more and resolves when all that was accepted is done. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#tail;
  }
}
