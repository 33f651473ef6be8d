import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 4;

/** Cuts long work into slices so that it never holds the event loop, and ends it when it is not wanted. */
export class Pace {
  readonly #signal: AbortSignal;
  #sliceEnd = performance.now() + SLICE_MS;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** True when the slice is used up: time for {@link turn}. */
  get due(): boolean {
    return performance.now() >= this.#sliceEnd;
  }

  /** Lets everything else run once. Rejects with the signal's reason when the work was called off. */
  async turn(): Promise<void> {
    await setImmediate();
    this.#signal.throwIfAborted();
    this.#sliceEnd = performance.now() + SLICE_MS;
  }
}
