import { openControl } from '@grove/access';
import { isGroveError, randomId, systemClock } from '@grove/core';
import { type Finding, note, ok } from '../finding.ts';
import type { PassingKeys } from './subject.ts';

const LIFE_MS = 120_000;

/**
 * Makes keys for the time of the checks and leaves none behind. Where none can be made, because the data folder may
 * not be written, `work` gets null.
 *
 * @throws GroveError `control_locked`, `control_damaged`, `control_newer`
 */
export async function withPassingKeys(
  dataDir: string,
  vault: string,
  work: (keys: PassingKeys | null, finding: Omit<Finding, 'check'>) => Promise<void>,
): Promise<void> {
  const control = tryOpen(dataDir);
  if (control === null) {
    await work(null, note('no key can be made in a data folder that cannot be written: calls go unchecked'));
    return;
  }
  const made: string[] = [];
  const make = (readPaths: readonly string[]): string => {
    const expiresAt = systemClock.now() + LIFE_MS;
    const { key, token } = control.keys.create({
      name: `doctor ${randomId()}`,
      vault,
      scopes: ['read'],
      expiresAt,
      readPaths,
    });
    made.push(key.id);
    return token;
  };
  try {
    const keys = { reading: make([]), blind: make([`grove-doctor-${randomId()}`]) };
    const live = control.keys
      .list({ vault })
      .filter(({ id, state }) => state === 'live' && !made.includes(id));
    await work(
      keys,
      live.length === 0
        ? note('no key is live: make one with "grove keys create NAME"')
        : ok(`${live.length} live`),
    );
  } finally {
    for (const id of made) control.keys.remove(id);
    control.close();
  }
}

function tryOpen(dataDir: string): ReturnType<typeof openControl> | null {
  try {
    return openControl({ dataDir, clock: systemClock });
  } catch (error) {
    if (isGroveError(error, 'data_unwritable')) return null;
    throw error;
  }
}
