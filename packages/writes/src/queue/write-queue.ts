import { GroveError } from '@grove/core';

/** How a queue of writes stands. Times in milliseconds. */
export interface WriteQueueState {
  /** Writes that were accepted and are not done, the one that runs included. */
  readonly waiting: number;
  /** Since when the oldest of them waits or runs; 0 when there is none. */
  readonly oldestMs: number;
  /** Writes that had their turn since the queue was made, and how long they waited for it, all together. */
  readonly begun: number;
  readonly waitedMs: number;
}

/**
 * One writer at a time, in the order of arrival, and at most `limit` waiting.
 *
 * @example await queue.run(() => engine.write(request));
 */
export class WriteQueue {
  readonly #limit: number;
  /** When each that is not done was accepted, oldest first. */
  readonly #accepted = new Set<{ readonly at: number }>();
  #begun = 0;
  #waitedMs = 0;
  #tail: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Writes accepted and not yet done. */
  get length(): number {
    return this.#accepted.size;
  }

  state(): WriteQueueState {
    const [oldest] = this.#accepted;
    return {
      waiting: this.#accepted.size,
      oldestMs: oldest === undefined ? 0 : performance.now() - oldest.at,
      begun: this.#begun,
      waitedMs: this.#waitedMs,
    };
  }

  /**
   * Runs work when all before it is done.
   *
   * @throws GroveError `write_queue_full` when too many wait; `stopping` after `close`
   */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closed) return Promise.reject(new GroveError('stopping'));
    if (this.#accepted.size >= this.#limit)
      return Promise.reject(new GroveError('write_queue_full', { limit: this.#limit }));
    const accepted = { at: performance.now() };
    this.#accepted.add(accepted);
    const begin = (): Promise<Result> => {
      this.#begun += 1;
      this.#waitedMs += performance.now() - accepted.at;
      return work();
    };
    const result = this.#tail.then(begin).finally(() => this.#accepted.delete(accepted));
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
