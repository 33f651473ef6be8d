/** Where the time comes from; tests hand in their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };
