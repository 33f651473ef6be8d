/** What is open of MCP over HTTP: calls that will be answered, and streams that stand until somebody ends them. */
export class Exchanges {
  readonly #maxStreams: number;
  readonly #streams = new Map<string, number>();
  #calls = 0;
  #whenNone: (() => void)[] = [];

  /** @param maxStreams open streams of one holder, see `holderOf` */
  constructor(maxStreams: number) {
    this.#maxStreams = maxStreams;
  }

  /** Open streams of all keys. */
  get streams(): number {
    let count = 0;
    for (const streams of this.#streams.values()) count += streams;
    return count;
  }

  /** Counts an exchange until `over` aborts; false for a stream of a holder that has as many as it may. */
  begin(holder: string, kind: 'call' | 'stream', over: AbortSignal): boolean {
    if (over.aborted) return true;
    if (kind === 'stream') return this.#beginStream(holder, over);
    this.#beginCall(over);
    return true;
  }

  /** Resolves when no call is left, or after `ms`. */
  async callsEnded(ms: number): Promise<void> {
    if (this.#calls === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#whenNone.push(resolve);
    await promise;
    clearTimeout(timer);
  }

  #beginStream(holder: string, over: AbortSignal): boolean {
    const open = this.#streams.get(holder) ?? 0;
    if (open >= this.#maxStreams) return false;
    this.#streams.set(holder, open + 1);
    over.addEventListener('abort', () => {
      const left = (this.#streams.get(holder) ?? 1) - 1;
      if (left === 0) this.#streams.delete(holder);
      else this.#streams.set(holder, left);
    });
    return true;
  }

  #beginCall(over: AbortSignal): void {
    this.#calls += 1;
    over.addEventListener('abort', () => {
      this.#calls -= 1;
      if (this.#calls > 0) return;
      for (const resolve of this.#whenNone.splice(0)) resolve();
    });
  }
}
