import type { CatalogDelta } from '../note-row.ts';

/** Hears of every delta, in order; the next one waits for the promise. */
export type DeltaListener = (delta: CatalogDelta) => Promise<void>;

/** Hands deltas to the listeners one after another. */
export class Deliveries {
  readonly #listeners = new Set<DeltaListener>();
  #tail: Promise<void> = Promise.resolve();
  #failure: unknown = null;

  get listeners(): number {
    return this.#listeners.size;
  }

  /** What the last listener that failed threw, or null. */
  get failure(): unknown {
    return this.#failure;
  }

  add(listener: DeltaListener): () => void {
    // A wrapper, so that the same function added twice is two listeners.
    const own: DeltaListener = (delta) => listener(delta);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Queues a delta; resolves when every listener has taken it. Never rejects. */
  push(delta: CatalogDelta): Promise<void> {
    this.#tail = this.#tail.then(() => this.#deliver(delta));
    return this.#tail;
  }

  /** Resolves when everything queued so far has been taken. */
  settled(): Promise<void> {
    return this.#tail;
  }

  async #deliver(delta: CatalogDelta): Promise<void> {
    for (const listener of [...this.#listeners]) {
      try {
        await listener(delta);
      } catch (error) {
        this.#failure = error;
      }
    }
  }
}
