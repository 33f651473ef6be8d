import { setImmediate as pause } from 'node:timers/promises';
import { isGroveError } from '@grove/core';

/** From the opening to the first look, which shall not be in the way of a start. */
const FIRST_MS = 60_000;
const INTERVAL_MS = 3_600_000;

/** Takes away a few rows that are kept no longer; answers how many there were. */
export type Prune = () => number;

/** Looks once an hour for rows that are kept no longer, and takes them away a few at a time between other work. */
export class Retention {
  readonly #prunes: readonly Prune[];
  #timer: NodeJS.Timeout | null;

  constructor(prunes: readonly Prune[]) {
    this.#prunes = prunes;
    this.#timer = setTimeout(() => void this.#look(), FIRST_MS).unref();
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #look(): Promise<void> {
    for (const prune of this.#prunes) {
      try {
        while (this.#timer !== null && prune() > 0) await pause();
      } catch (error) {
        // What control.db says now is said to whoever asks it something. Old rows can stay for another hour.
        if (!isGroveError(error)) throw error;
      }
    }
    if (this.#timer !== null) this.#timer = setTimeout(() => void this.#look(), INTERVAL_MS).unref();
  }
}
