import { isGroveError } from '@grove/core';

/** From the first use to its writing: a list that another process prints soon knows of it. */
const FIRST_DELAY_MS = 1_000;
/** From one writing to the next. */
const INTERVAL_MS = 60_000;

/** Times of last use, gathered in memory and written seldom. */
export class LastUses {
  readonly #write: (uses: ReadonlyMap<string, number>) => void;
  readonly #pending = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  /** When, on the monotonic clock, the next writing may be. */
  #notBefore = 0;

  /** @param write may throw the errors of control.db: the uses are kept for the next time then */
  constructor(write: (uses: ReadonlyMap<string, number>) => void) {
    this.#write = write;
  }

  note(id: string, time: number): void {
    this.#pending.set(id, time);
    this.#schedule();
  }

  /** The last use of a key, the one on disk or one that is not there yet. */
  latest(id: string, onDisk: number | null): number | null {
    const pending = this.#pending.get(id) ?? null;
    return pending === null || (onDisk !== null && onDisk > pending) ? onDisk : pending;
  }

  /** Writes what is pending now. Never fails because of control.db: who may call matters more than who did. */
  flush(): void {
    this.#clearTimer();
    if (this.#pending.size === 0) return;
    this.#notBefore = performance.now() + INTERVAL_MS;
    try {
      this.#write(this.#pending);
      this.#pending.clear();
    } catch (error) {
      if (!isGroveError(error)) throw error;
      this.#schedule();
    }
  }

  close(): void {
    this.flush();
    this.#clearTimer();
  }

  #schedule(): void {
    const delay = Math.max(FIRST_DELAY_MS, this.#notBefore - performance.now());
    this.#timer ??= setTimeout(() => this.flush(), delay).unref();
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
