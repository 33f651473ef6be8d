import type { Clock } from '@grove/core';
import type { Standing } from './rate-limited.ts';

const MINUTE_MS = 60_000;
/** From this many holders on, those whose minute is over are forgotten. */
const MANY = 1_000;

interface Minute {
  readonly begin: number;
  count: number;
}

/**
 * Counts operations a minute and holder. A call of several is counted whole or not at all, which
 * `@fastify/rate-limit` cannot do: to it each call is one.
 */
export class OperationCounter {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #minutes = new Map<string, Minute>();

  /** @param limit operations in a minute; 0 for no limit */
  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Counts all of them where they fit into the minute, else none; null where they were counted, else how it stands. */
  take(holder: string, operations: number): Standing | null {
    if (this.#limit === 0) return null;
    const now = this.#clock.now();
    const minute = this.#minuteOf(holder, now);
    if (minute.count + operations <= this.#limit) {
      minute.count += operations;
      return null;
    }
    return {
      what: 'operations',
      limit: this.#limit,
      remaining: this.#limit - minute.count,
      reset: (minute.begin + MINUTE_MS - now) / 1_000,
    };
  }

  /** Takes back what was counted for a call that is refused after all. */
  giveBack(holder: string, operations: number): void {
    const minute = this.#minutes.get(holder);
    if (minute !== undefined) minute.count = Math.max(0, minute.count - operations);
  }

  #minuteOf(holder: string, now: number): Minute {
    const known = this.#minutes.get(holder);
    if (known !== undefined && isNow(known, now)) return known;
    if (this.#minutes.size >= MANY)
      for (const [other, minute] of this.#minutes) if (!isNow(minute, now)) this.#minutes.delete(other);
    const minute = { begin: now, count: 0 };
    this.#minutes.set(holder, minute);
    return minute;
  }
}

/** False too where the clock went back. */
function isNow({ begin }: Minute, now: number): boolean {
  return now >= begin && now < begin + MINUTE_MS;
}
