import type { Clock } from '@grove/core';
import { openControlFile } from './control-file/open-file.ts';
import { KeyRing } from './keys/key-ring.ts';
import type { Keys } from './keys/keys.ts';

/** Where the file is, and the time by which keys expire. */
export interface ControlOptions {
  /** The data folder; made with mode 0700 when it is not there. */
  readonly dataDir: string;
  readonly clock: Clock;
  /**
   * How long a change waits for another process that changes keys, in milliseconds; 5 seconds when absent. The whole
   * process stands still meanwhile, so that a server waits for less.
   */
  readonly changePatienceMs?: number;
}

/** control.db, open. Several processes may have it open at the same time. */
export interface Control {
  readonly keys: Keys;
  /** Writes what is still in memory (last uses) and lets the file go. Calling it again does nothing. */
  close(): void;
}

/**
 * Opens `<dataDir>/control.db`, making it (mode 0600) and its folder (0700) on first use, and brings it to the
 * present schema. A damaged file is reported and left as it is, never replaced by an empty one.
 *
 * @throws GroveError `control_locked` when another process holds it for more than 5 seconds; `control_damaged`;
 * `control_newer`; `data_unwritable`
 * @example
 * const control = openControl({ dataDir, clock: systemClock });
 * const verified = control.keys.verify(token);
 */
export function openControl({ dataDir, clock, changePatienceMs }: ControlOptions): Control {
  const ring = new KeyRing(openControlFile(dataDir, changePatienceMs), clock);
  return { keys: ring, close: () => ring.close() };
}
