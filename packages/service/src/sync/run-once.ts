import { GroveError, isGroveError } from '@grove/core';
import { fetchRemote, type GitLocation, type GitStore, pushRemote, remotePushUrl } from '@grove/history';
import type { OwnersWord } from '@grove/vault';
import { diskFault, type PullOutcome, type WriteEngine } from '@grove/writes';
import type { RemoteOfVault } from './remote-of-vault.ts';
import { isSetBack, keepSeen, readSeen } from './seen-branch.ts';

/** How often a push is made anew because the remote got something meanwhile. */
const TRIES = 4;

/** Which halves of sync are to be done. */
export interface SyncHalves {
  readonly pull: boolean;
  readonly push: boolean;
}

export interface RunParts {
  readonly engine: WriteEngine;
  readonly location: GitLocation;
  readonly store: GitStore;
  readonly stateDir: string;
  readonly ownersWord: OwnersWord;
  readonly remote: RemoteOfVault;
  readonly token: string | null;
  /** Whether what the remote has may be taken to make a push possible. */
  readonly mayPull: boolean;
  readonly signal: AbortSignal;
}

/** What was done until the end, or until something failed. */
export interface RunOutcome {
  /** Of each look at the remote that it had something to take from, in order. */
  readonly pulls: readonly PullOutcome[];
  /** True once the remote was looked at and what it has was taken. */
  readonly isPulled: boolean;
  readonly isPushed: boolean;
  readonly pullFault: unknown;
  readonly pushFault: unknown;
}

type Done = { -readonly [Name in keyof RunOutcome]: RunOutcome[Name] } & { pulls: PullOutcome[] };

/**
 * Takes what the remote has and gives it what it lacks, each half for itself: a remote that takes nothing is pulled from
 * all the same, and a disk that is full does not keep commits from being pushed. Does not reject.
 */
export async function runOnce(parts: RunParts, halves: SyncHalves): Promise<RunOutcome> {
  const done: Done = { pulls: [], isPulled: false, isPushed: false, pullFault: null, pushFault: null };
  if (halves.pull)
    try {
      await take(parts, done);
    } catch (cause) {
      done.pullFault = diskFault(cause);
    }
  if (halves.push && (done.pullFault === null || isFull(done.pullFault)))
    try {
      await give(parts, done);
    } catch (cause) {
      done.pushFault = diskFault(cause);
    }
  return done;
}

async function take(parts: RunParts, done: Done): Promise<void> {
  const tip = await look(parts);
  if (tip !== null) done.pulls.push(await merge(parts, tip));
  done.isPulled = true;
}

/**
 * Fetches the branch, and takes nothing of it yet.
 *
 * @returns its tip; null where it may be made
 * @throws GroveError `remote_branch_missing`, `remote_rewritten`, and those of a fetch
 */
async function look(parts: RunParts): Promise<string | null> {
  const { stateDir, store, remote, signal } = parts;
  const seen = await readSeen(stateDir, store, remote);
  const { tip, isEmpty } = await fetchRemote(callOf(parts));
  signal.throwIfAborted();
  if (tip === null) {
    if (seen.mayCreate || (isEmpty && seen.tip === null)) return null;
    throw branchMissing(remote);
  }
  if (await isSetBack(store, seen.tip, tip, signal)) throw setBack(remote);
  await keepSeen(stateDir, remote, { tip });
  return tip;
}

/** What comes decides by itself neither what is committed here, nor what is deleted or rewritten. */
async function merge({ engine, remote, ownersWord, signal }: RunParts, theirs: string): Promise<PullOutcome> {
  await ownersWord.hold();
  try {
    return await engine.pull({ theirs, remote: remote.name, signal });
  } finally {
    await settleHeld(engine, ownersWord);
  }
}

/** Not before all files of a pull are in place or taken back: what comes later would count otherwise. */
export async function settleHeld(engine: WriteEngine, ownersWord: OwnersWord): Promise<void> {
  if (!engine.isPullUnfinished) await ownersWord.settle();
}

async function give(parts: RunParts, done: Done): Promise<void> {
  const { engine, location, stateDir, store, remote, signal } = parts;
  await requireOneAddress(location, remote);
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    signal.throwIfAborted();
    // What was acknowledged is in the repository, and durable, before others build on it.
    await engine.settled();
    const { oid: commit } = await store.resolveHead();
    const { tip } = await readSeen(stateDir, store, remote);
    if (commit === null || commit === tip) return;
    const seen = tip ?? (await look(parts));
    const { outcome } = await pushRemote({ ...callOf(parts), commit, seen });
    if (outcome === 'pushed') {
      await keepSeen(stateDir, remote, { tip: commit });
      done.isPushed = true;
      return;
    }
    if (parts.mayPull) await take(parts, done);
    // Looked at for what it says of a branch that is gone or was set back.
    else if (attempt === 1) await look(parts);
    else throw new GroveError('sync_push_behind');
  }
  throw new GroveError('sync_push_behind');
}

async function requireOneAddress(location: GitLocation, { name, url }: RemoteOfVault): Promise<void> {
  const pushUrl = await remotePushUrl(location, name);
  if (pushUrl === null || pushUrl === url) return;
  throw new GroveError(
    'sync_unsupported',
    { reason: `git's config names another address to push to (remote.${name}.pushurl) than to pull from` },
    {
      hint: `Remove it with "git config --unset-all remote.${name}.pushurl", or let Grove pull alone: grove sync on --pull-only. Pulling goes on.`,
    },
  );
}

function branchMissing({ url, branch }: RemoteOfVault): GroveError {
  return new GroveError(
    'remote_branch_missing',
    { host: new URL(url).host, branch },
    {
      hint: `Nothing was pushed. Change to a branch that the remote has with "git switch", or let this one be made there: grove sync on --create-branch`,
    },
  );
}

function setBack({ name, url, branch }: RemoteOfVault): GroveError {
  return new GroveError(
    'remote_rewritten',
    { host: new URL(url).host, branch },
    {
      hint: `Nothing was merged or pushed. To merge what is there now, which brings the dropped commits back to the remote: grove sync accept. To drop them here too, with all that only this vault has: "git reset --hard ${name}/${branch}" in the vault folder.`,
    },
  );
}

function callOf({ location, remote, token, signal }: RunParts): Parameters<typeof fetchRemote>[0] {
  return { location, ...remote, token, signal };
}

/** Where nothing more can be stored here, what is there can still be given away. */
function isFull(fault: unknown): boolean {
  return isGroveError(fault, 'disk_full') || isGroveError(fault, 'repository_full');
}
