import { GroveError, isGroveError } from '@grove/core';
import { fetchRemote, type GitLocation, type GitStore, pushRemote } from '@grove/history';
import type { PullOutcome, WriteEngine } from '@grove/writes';
import type { RemoteOfVault } from './remote-of-vault.ts';

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
      done.pullFault = cause;
    }
  if (halves.push && (done.pullFault === null || isFull(done.pullFault)))
    try {
      await give(parts, done);
    } catch (cause) {
      done.pushFault = cause;
    }
  return done;
}

async function take(parts: RunParts, done: Done): Promise<void> {
  const { engine, remote } = parts;
  const { tip } = await fetchRemote(callOf(parts));
  parts.signal.throwIfAborted();
  if (tip !== null) done.pulls.push(await engine.pull({ theirs: tip, remote: remote.name }));
  done.isPulled = true;
}

async function give(parts: RunParts, done: Done): Promise<void> {
  const { engine, store, remote, signal } = parts;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    signal.throwIfAborted();
    // What was acknowledged is in the repository, and durable, before others build on it.
    await engine.settled();
    const { oid: commit } = await store.resolveHead();
    const tip = await store.resolveRef(`refs/remotes/${remote.name}/${remote.branch}`);
    if (commit === null || commit === tip) return;
    const { outcome } = await pushRemote({ ...callOf(parts), commit });
    if (outcome === 'pushed') {
      done.isPushed = true;
      return;
    }
    if (!parts.mayPull) throw new GroveError('sync_push_behind');
    await take(parts, done);
  }
  throw new GroveError('sync_push_behind');
}

function callOf({ location, remote, token, signal }: RunParts): Parameters<typeof fetchRemote>[0] {
  return { location, ...remote, token, signal };
}

/** Where nothing more can be stored here, what is there can still be given away. */
function isFull(fault: unknown): boolean {
  return isGroveError(fault, 'disk_full') || isGroveError(fault, 'repository_full');
}
