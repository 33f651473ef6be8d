import type { FastifyRateLimitStore } from '@fastify/rate-limit';

/** So many are remembered of each limit; the one that came least lately makes room. */
const MOST = 5_000;

interface Window {
  begin: number;
  count: number;
}

/**
 * Counts for `@fastify/rate-limit`, as its own store does, except where the clock is put back: what was counted by the
 * time of before is then over, while its own store would go on refusing until that time has come again.
 */
export class WindowStore implements FastifyRateLimitStore {
  readonly #windows = new Map<string, Window>();

  incr(
    key: string,
    told: (error: Error | null, result?: { current: number; ttl: number }) => void,
    length = 0,
  ): void {
    const now = Date.now();
    const known = this.#windows.get(key);
    const isOpen = known !== undefined && now >= known.begin && now < known.begin + length;
    const window = isOpen ? known : { begin: now, count: 0 };
    window.count += 1;
    this.#windows.delete(key);
    this.#windows.set(key, window);
    if (this.#windows.size > MOST) {
      const [oldest = key] = this.#windows.keys();
      this.#windows.delete(oldest);
    }
    told(null, { current: window.count, ttl: window.begin + length - now });
  }

  /** The counts of one limit. */
  child(): WindowStore {
    return new WindowStore();
  }
}
