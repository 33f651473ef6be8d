import type { Occupancy } from '@grove/server';
import type { VaultState } from '@grove/vault';
import { describeFailure } from '../failure.ts';
import { type Summary, summarise } from './summary.ts';

/** A vault that this process serves. */
export interface Served {
  readonly vault: VaultState;
  readonly occupancy: Occupancy;
  /** A `performance.now()`. */
  readonly startedAt: number;
}

/** What came of opening a vault: its counts, and what is wrong with its index, if anything. */
export interface VaultOutcome {
  readonly summary: Summary;
  readonly problem: string | null;
}

const UNREADABLE = 'The vault folder is not there or cannot be read: what was known of it is served.';

/**
 * Waits for the index, or for the end of the server; one that cannot be built is told of and does not end the server:
 * reading goes on.
 */
export async function outcomeOf(
  { occupancy: { opened }, startedAt }: Served,
  stopped: Promise<void>,
): Promise<VaultOutcome> {
  const problem = await Promise.race([opened.ready, stopped]).then(
    () => null,
    (error: unknown) => describeFailure(error).message,
  );
  const away = opened.vault.health().state === 'degraded' ? UNREADABLE : null;
  return { summary: summarise(opened, startedAt), problem: problem ?? away };
}
