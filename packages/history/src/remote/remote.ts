import { rm } from 'node:fs/promises';
import { GroveError } from '@grove/core';
import { readFormat } from '../repository/format.ts';
import { isRefName } from '../repository/refs.ts';
import { unwritable, writing } from '../writing/write-failure.ts';
import { clearIncoming, newIncomingFolder } from './packs/incoming.ts';
import type { BranchCall, RemoteJob } from './process/remote-messages.ts';
import { runRemote } from './process/run-remote.ts';
import { parseRemoteAddress } from './remote-address.ts';
import type { RemoteOptions } from './remote-options.ts';
import { trackingRef } from './steps/tracking-ref.ts';

/** How long a server may say nothing. */
export const IDLE_LIMIT_MS = 60_000;

/**
 * Fetches one branch: its objects enter the repository as one whole pack, then `refs/remotes/<name>/<branch>` moves to
 * it. Work tree, index and branches stay as they are. What the remote's branch dropped stays here.
 *
 * @returns the branch's commit there, null when the remote has no such branch; and whether it has no branch at all
 * @throws GroveError `remote_…`, `repository_…`, `git_busy`; the signal's reason
 * @example (await fetchRemote({ location, name: 'origin', url, branch: 'main', token })).tip // '3f2a…'
 */
export async function fetchRemote(options: RemoteOptions): Promise<{ tip: string | null; isEmpty: boolean }> {
  const result = await callBranch(options, (call) => ({ ...call, kind: 'fetch' }));
  return result as { tip: string | null; isEmpty: boolean };
}

/**
 * Pushes a commit to one branch, never by force; `refs/remotes/<name>/<branch>` follows.
 *
 * @param options.seen what the branch was there when it was looked at last (null: it was not there): a branch that was
 *   set back since, or that came or went, is `behind` too
 * @returns `behind` when the remote has commits that the pushed one does not continue: fetch and merge them first
 * @throws GroveError `remote_…` (`remote_protected` when the server refuses it), `repository_…`, `git_busy`; the
 *   signal's reason
 */
export async function pushRemote(
  options: RemoteOptions & { readonly commit: string; readonly seen?: string | null | undefined },
): Promise<{ outcome: 'pushed' | 'behind' }> {
  const { commit, seen } = options;
  const result = await callBranch(options, (call) => ({ ...call, kind: 'push', commit, seen }));
  return result as { outcome: 'pushed' | 'behind' };
}

async function callBranch(options: RemoteOptions, jobOf: (call: BranchCall) => RemoteJob): Promise<unknown> {
  const { location, name, url, branch, token, idleLimitMs = IDLE_LIMIT_MS } = options;
  parseRemoteAddress(url);
  if (!isRefName(trackingRef(name, branch)))
    throw new GroveError('bad_input', { reason: `"${branch}" names no branch of a remote "${name}"` });
  if ((await readFormat(location)).partialClone)
    throw unwritable('it is a partial clone, and objects that a sync needs may be missing');
  await writing(() => clearIncoming(location));
  const incoming = newIncomingFolder(location);
  try {
    return await runRemote(jobOf({ location, name, url, branch, token, incoming, idleLimitMs }), options);
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}
