import { type Control, type Keys, openControl } from '@grove/access';
import { isGroveError, randomId, systemClock } from '@grove/core';
import { parseTrailRules } from '@grove/trails';
import { type Finding, note, ok } from '../finding.ts';
import type { PassingGuest, PassingKeys } from './subject.ts';

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
    await work(null, UNWRITABLE);
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
  const leave: (() => void)[] = [];
  try {
    const guest = makeGuest(control, vault, leave);
    const keys = { reading: make([]), blind: make([`grove-doctor-${randomId()}`]), guest };
    await work(keys, liveKeys(control.keys, vault, made));
  } finally {
    for (const id of made) control.keys.remove(id);
    for (const end of leave) end();
    control.close();
  }
}

function makeGuest({ clients, trails }: Control, vault: string, leave: (() => void)[]): PassingGuest {
  const name = `doctor ${randomId()}`;
  const redirectUri = 'http://127.0.0.1/grove-doctor';
  const { client, secret } = clients.create({ name, redirectUris: [redirectUri] });
  leave.push(() => clients.remove(client.id));
  const rules = parseTrailRules({ allowPaths: [`grove-doctor-${randomId()}`] });
  const expiresAt = systemClock.now() + LIFE_MS;
  const { trail, token } = trails.create({ name, vault, rules, expiresAt });
  leave.push(() => trails.remove(trail.id));
  return { clientId: client.id, clientSecret: secret, redirectUri, trailToken: token };
}

/**
 * How many keys are live.
 *
 * @throws GroveError `control_locked`, `control_damaged`, `control_newer`
 */
export function lookAtKeys(dataDir: string, vault: string): Omit<Finding, 'check'> {
  const control = tryOpen(dataDir);
  if (control === null) return UNWRITABLE;
  try {
    return liveKeys(control.keys, vault, []);
  } finally {
    control.close();
  }
}

const UNWRITABLE = note(
  'no key can be made in a data folder that cannot be written: calls with a key go unchecked',
);

function liveKeys(keys: Keys, vault: string, passing: readonly string[]): Omit<Finding, 'check'> {
  const known = keys.list({ vault }).filter(({ id }) => !passing.includes(id));
  const live = known.filter(({ state }) => state === 'live').length;
  if (live > 0) return ok(`${live} live`);
  return known.length === 0
    ? note('none yet: the first "grove start" makes one')
    : note('none is live: make one with "grove keys create NAME"');
}

function tryOpen(dataDir: string): ReturnType<typeof openControl> | null {
  try {
    return openControl({ dataDir, clock: systemClock });
  } catch (error) {
    if (isGroveError(error, 'data_unwritable')) return null;
    throw error;
  }
}
