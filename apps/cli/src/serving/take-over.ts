import { setTimeout as sleep } from 'node:timers/promises';
import { GroveError } from '@grove/core';
import {
  askOwner,
  isOccupancy,
  type Occupancy,
  type OccupancyOptions,
  requestHandOver,
  tryOccupy,
} from '@grove/server';

/** How long a stdio session or a short command is given to leave the vault. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

/**
 * Owns the vault as the server: asks a stdio session that owns it to hand it over (its client goes on through this
 * process), waits for a command to finish.
 *
 * @throws `vault_owned` when another server owns it
 */
export async function takeOver(options: OccupancyOptions, stop: AbortSignal): Promise<Occupancy> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const result = await tryOccupy(options, null);
    if (isOccupancy(result)) return result;
    const owner = result.address === null ? null : await askOwner(result.address);
    if (owner?.kind === 'server') throw alreadyServed(owner.pid);
    if (owner?.kind === 'stdio' && result.address !== null) {
      options.log.info({ owner: owner.pid }, 'asking the stdio session that owns the vault to hand it over');
      if ((await requestHandOver(result.address)) !== null) continue;
    }
    if (Date.now() > deadline || stop.aborted)
      throw new GroveError('vault_owned', { pid: result.pid, host: 'this machine' });
    await sleep(PAUSE_MS, undefined, { signal: stop });
  }
}

/** The refusal of a second server of a vault. */
export function alreadyServed(pid: number): GroveError {
  return new GroveError(
    'vault_owned',
    { pid, host: 'this machine' },
    { hint: `A Grove server already serves this vault. Stop it first: kill ${pid}` },
  );
}
