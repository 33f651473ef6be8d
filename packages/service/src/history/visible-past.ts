import { GroveError, type VaultPath } from '@grove/core';
import type { WalkOptions } from '@grove/history';
import type { Scope, VaultPast } from '../contract.ts';

/**
 * The history, brought up to what HEAD names now; long work goes on behind.
 *
 * @throws GroveError `history_unavailable`, `history_not_shared`
 */
export async function pastOf({ past, view, history, isTrail }: Scope): Promise<VaultPast> {
  if (isTrail) throw new GroveError('history_not_shared');
  if (past === null) {
    // What is wrong with the repository is for who sees all of the vault.
    const reason = (view.isOwner ? history().problem : null) ?? 'its repository cannot be opened';
    throw new GroveError('history_unavailable', { reason: reason.replace(/\.$/, '') });
  }
  await past.history.refresh();
  return past;
}

/** True for a caller from whom nothing of the vault is kept: it hears of commits what git says. */
export function seesAll({ past }: Scope): boolean {
  return past?.seesAll ?? false;
}

/**
 * True for a path whose commits this caller may hear of. Whoever sees all of the vault also hears of notes that are
 * gone; for everyone else the past of a note that they do not see now is not there.
 */
export function shownPaths(scope: Scope): (path: string) => boolean {
  return seesAll(scope) ? () => true : (path) => scope.view.get(path as VaultPath) !== null;
}

/**
 * What of a walk this caller may hear: for who sees a part of the vault no note comes from another, since which one it
 * was may depend on what they do not see.
 */
export function shownWalk(scope: Scope): Pick<WalkOptions, 'isShown' | 'followRenames'> {
  return { isShown: shownPaths(scope), followRenames: seesAll(scope) };
}

/** The remark that goes with an answer from a history that is still being read, and for its owner why it is not. */
export function pastRemarks({ view, history }: Scope): string[] {
  const { ready, problem } = history();
  if (problem !== null && view.isOwner) return [`The history is not up to date: ${problem}`];
  return ready ? [] : ['The history is still being read: commits may be missing.'];
}
