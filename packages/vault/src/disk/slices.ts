import { setImmediate } from 'node:timers/promises';

/** How long one slice of synchronous work may hold the event loop, in milliseconds. */
const SLICE_MS = 5;

/** Divides long synchronous work, so that others' turns come between. */
export class Slices {
  #since = performance.now();

  /** True when the slice is used up and {@link rest} is due. */
  get spent(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  /** Lets everything that waits have its turn. */
  async rest(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
