import { isGroveError } from '@grove/core';

/** From the first use to its writing: a list that another process prints soon knows of it. */
const FIRST_DELAY_MS = 1_000;
/** From one writing to the next. */
const INTERVAL_MS = 60_000;

/** Times of last use, gathered in memory and written seldom. */
export class LastUses {
  readonly #write: (uses: ReadonlyMap<string, number>) => void;
  readonly #pending = new Map<string, number>();
  /** Whose use was written before, or was to be. */
  readonly #known = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  /** When, on the monotonic clock, the timer ends. */
  #due = 0;
  /** When, on the monotonic clock, the next writing may be of what is known already. */
  #notBefore = 0;

  /** @param write may throw the errors of control.db: the uses are kept for the next time then */
  constructor(write: (uses: ReadonlyMap<string, number>) => void) {
    this.#write = write;
  }

  note(id: string, time: number): void {
    this.#pending.set(id, time);
    this.#schedule(this.#known.has(id) ? this.#notBefore : 0);
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
    for (const id of this.#pending.keys()) this.#known.add(id);
    try {
      this.#write(this.#pending);
      this.#pending.clear();
    } catch (error) {
      if (!isGroveError(error)) throw error;
      this.#schedule(this.#notBefore);
    }
  }

  close(): void {
    this.flush();
    this.#clearTimer();
  }

  /** @param notBefore on the monotonic clock */
  #schedule(notBefore: number): void {
    const now = performance.now();
    const due = Math.max(now + FIRST_DELAY_MS, notBefore);
    if (this.#timer !== null && this.#due <= due) return;
    this.#clearTimer();
    this.#due = due;
    this.#timer = setTimeout(() => this.flush(), due - now).unref();
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
