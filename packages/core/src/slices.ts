import { setImmediate } from 'node:timers/promises';

/** How long one slice of synchronous work may hold the event loop, in milliseconds. */
const SLICE_MS = 5;

/**
 * Divides long synchronous work, so that others' turns come between.
 *
 * @example
 * const slices = new Slices();
 * for (const row of rows) {
 *   look(row);
 *   if (slices.spent) await slices.rest();
 * }
 */
export class Slices {
  readonly #signal: AbortSignal | null;
  #since = performance.now();

  /** With a signal, work that is called off ends at its next {@link rest}. */
  constructor(signal: AbortSignal | null = null) {
    this.#signal = signal;
  }

  /** True when the slice is used up and {@link rest} is due. */
  get spent(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  /** Lets everything that waits have its turn. Rejects with the signal's reason when the work was called off. */
  async rest(): Promise<void> {
    await setImmediate();
    this.#signal?.throwIfAborted();
    this.#since = performance.now();
  }
}
