import type { CatalogDelta } from '../note-row.ts';

/** Hears of every delta, in order; the next one waits for the promise. */
export type DeltaListener = (delta: CatalogDelta) => Promise<void>;

/** Hands deltas to the listeners one after another. */
export class Deliveries {
  readonly #listeners = new Set<DeltaListener>();
  #tail: Promise<void> = Promise.resolve();
  #news: Promise<void> = Promise.resolve();
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

  /**
   * Queues a delta; resolves when every listener has taken it. Never rejects.
   *
   * @param isNews false for notes that are delivered once more as they are
   */
  push(delta: CatalogDelta, isNews = true): Promise<void> {
    this.#tail = this.#tail.then(() => this.#deliver(delta));
    if (isNews) this.#news = this.#tail;
    return this.#tail;
  }

  /** Resolves when every change that was queued so far has been taken. */
  newsTaken(): Promise<void> {
    return this.#news;
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
