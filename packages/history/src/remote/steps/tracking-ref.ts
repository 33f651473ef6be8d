import { GroveError, systemClock } from '@grove/core';
import type { GitLocation } from '../../repository/location.ts';
import { openGitWriter } from '../../writing/git-writer.ts';

const TRIES = 5;

/** Where a branch of a remote was seen last. */
export function trackingRef(name: string, branch: string): string {
  return `refs/remotes/${name}/${branch}`;
}

/** Moves that, wherever it stood: it says what the remote has. */
export async function moveTrackingRef(
  location: GitLocation,
  ref: string,
  to: string,
  reflog: string,
): Promise<void> {
  await using writer = await openGitWriter(location, { clock: systemClock });
  const who = { name: 'Grove', email: 'grove@localhost', time: systemClock.now(), offset: 0 };
  for (let tries = 0; tries < TRIES; tries++) {
    const from = await writer.tipOf(ref);
    if (from === to) return;
    if ((await writer.moveRef({ ref, from, to, reflog, who })) === 'moved') return await writer.syncRef(ref);
  }
  throw new GroveError('git_busy', { reason: `another program moves "${ref}"` });
}
