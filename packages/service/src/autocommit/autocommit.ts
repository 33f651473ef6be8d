import { isGroveError, Slices } from '@grove/core';
import type { History } from '@grove/history';
import type { Vault } from '@grove/vault';
import type { WriteEngine } from '@grove/writes';
import { commitBatches } from './commit-batches.ts';
import { type OutsideChange, outsideChanges } from './outside-changes.ts';
import { Quiet, type QuietTimes } from './quiet.ts';

/** Commits what is changed outside of Grove, once the vault has been quiet for a while. */
export interface Autocommit {
  state(): AutocommitState;
  /** Ends its timer and waits for the commit that is being made. What was not committed waits for the next start. */
  close(): Promise<void>;
}

/** How it stands, for the owner. */
export interface AutocommitState {
  readonly on: boolean;
  /** Notes that differ from the last commit; null while the history is still being read. */
  readonly uncommitted: number | null;
  /** Why the last attempt failed, as a sentence; it is made again. */
  readonly problem: string | null;
}

export interface AutocommitOptions {
  readonly vault: Vault;
  readonly root: string;
  readonly history: History;
  readonly engine: WriteEngine;
  /** The process policy. */
  readonly mayRead: (path: string) => boolean;
  /** Where the owner does not say: true where the git dir is Grove's own. */
  readonly onUnlessTold: boolean;
  /** True to commit once what there is, as soon as the first scan is through, whether it is switched on or not. */
  readonly onceAtStart: boolean;
  readonly times?: QuietTimes;
  /** Hears of what is no error of the catalogue. */
  readonly onProblem: (cause: unknown) => void;
}

/**
 * Starts to follow a vault: what changed while no Grove ran is committed once the first scan is through and the vault is
 * quiet. Works whether clients may write or not, for it changes no note.
 *
 * @example const autocommit = openAutocommit({ vault, root, history, engine, mayRead, onUnlessTold: true, onProblem });
 */
export function openAutocommit(options: AutocommitOptions): Autocommit {
  const { vault, root, history, engine, mayRead, onProblem } = options;
  const stop = new AbortController();
  /** What git does not take, or has as it is, by what it was when that was found out. */
  let passedOver = new Set<string>();
  let problem: string | null = null;
  let isDue = options.onceAtStart;
  const isOn = (): boolean => vault.autocommit ?? options.onUnlessTold;
  const changes = () => outsideChanges({ root, history, view: vault.ownerView(), mayRead });

  const found = async (): Promise<OutsideChange[]> => {
    await history.refresh();
    await history.caughtUp();
    const slices = new Slices(stop.signal);
    const all: OutsideChange[] = [];
    for (const change of changes()) {
      if (change !== null) all.push(change);
      if (slices.spent) await slices.rest();
    }
    return all.sort((left, right) => (left.path < right.path ? -1 : 1));
  };
  const commitAll = async (): Promise<void> => {
    const all = await found();
    const known = passedOver;
    passedOver = new Set(all.map(keyOf).filter((key) => known.has(key)));
    const open = all.filter((change) => !known.has(keyOf(change)));
    if (open.length === 0) return;
    for (const batch of commitBatches(open)) {
      stop.signal.throwIfAborted();
      await engine.commitOutside(batch.map(({ path }) => path));
    }
    const tried = new Set(open.map(keyOf));
    for (const change of await found()) if (tried.has(keyOf(change))) passedOver.add(keyOf(change));
  };
  /** False when it is to be tried again. */
  const attempt = async (): Promise<boolean> => {
    if (!isOn() && !isDue) return true;
    // A folder that vanished has lost no note.
    if (vault.state !== 'ready') return false;
    try {
      await commitAll();
      problem = null;
      isDue = false;
      return true;
    } catch (error) {
      if (stop.signal.aborted) return true;
      if (!isGroveError(error)) onProblem(error);
      problem = error instanceof Error ? error.message : String(error);
      return false;
    }
  };

  const quiet = new Quiet(attempt, options.times);
  const unsubscribe = [vault.onDelta(async () => quiet.touch()), vault.onSettings(() => quiet.touch())];
  Promise.all([vault.ready, history.caughtUp()]).then(
    () => (isDue ? quiet.hurry() : quiet.touch()),
    () => {},
  );
  return {
    state: () => ({
      on: isOn(),
      uncommitted: history.ready ? count() : null,
      problem: isOn() || isDue ? problem : null,
    }),
    close: async () => {
      stop.abort();
      for (const end of unsubscribe) end();
      await quiet.stop();
    },
  };

  function count(): number {
    let uncommitted = 0;
    for (const change of changes()) if (change !== null && !passedOver.has(keyOf(change))) uncommitted += 1;
    return uncommitted;
  }
}

function keyOf({ path, now, committed }: OutsideChange): string {
  return `${now} ${committed} ${path}`;
}
