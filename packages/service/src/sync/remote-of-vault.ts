import { GroveError } from '@grove/core';
import { type GitLocation, type GitStore, parseRemoteAddress, remoteUrl, shownAddress } from '@grove/history';

/** The remote branch that a vault is kept level with. */
export interface RemoteOfVault {
  readonly name: string;
  readonly url: string;
  readonly branch: string;
}

/** What is known of a remote, whether it can be used or not. */
export interface RemoteFacts {
  readonly remote: string | null;
  readonly url: string | null;
  readonly host: string | null;
  readonly branch: string | null;
}

export const NO_REMOTE: RemoteFacts = { remote: null, url: null, host: null, branch: null };

/** The remote as it may be shown; of an address without user and secret its host. */
export async function remoteFacts(
  location: GitLocation,
  store: GitStore,
  name: string,
): Promise<RemoteFacts> {
  const url = await remoteUrl(location, name);
  const branch = branchOf((await store.resolveHead()).ref);
  if (url === null) return { ...NO_REMOTE, branch };
  const shown = shownAddress(url);
  const host = /^https?:\/\//i.test(shown) && URL.canParse(shown) ? new URL(shown).host : null;
  return { remote: name, url: shown, host, branch };
}

/**
 * The remote of a vault that can be kept level.
 *
 * @throws GroveError `sync_unsupported` for a vault inside a larger repository, `remote_none`, `remote_address_refused`,
 * `git_in_operation` while HEAD names no branch
 */
export async function remoteOfVault(
  location: GitLocation,
  store: GitStore,
  name: string,
): Promise<RemoteOfVault> {
  if (location.prefix !== '')
    throw new GroveError('sync_unsupported', {
      reason: `the vault is the folder "${location.prefix}" of a larger repository`,
    });
  const url = await remoteUrl(location, name);
  if (url === null) throw new GroveError('remote_none', { remote: name });
  parseRemoteAddress(url);
  const branch = branchOf((await store.resolveHead()).ref);
  if (branch === null)
    throw new GroveError('git_in_operation', { reason: 'HEAD is detached from every branch' });
  return { name, url, branch };
}

function branchOf(ref: string | null): string | null {
  return ref?.startsWith('refs/heads/') === true ? ref.slice('refs/heads/'.length) : null;
}
