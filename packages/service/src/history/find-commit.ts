import { GroveError } from '@grove/core';
import type { Scope, VaultPast } from '../contract.ts';
import { seesAll, shownPaths, shownWalk } from './visible-past.ts';

/** A commit of the history, with its place: a parent's is lower than its children's. */
export type FoundCommit = ReturnType<VaultPast['history']['commitsNamed']>[number];

/** As restore takes them: a commit or `HEAD`, and how many commits before it. */
const COMMIT = /^(?:(head)|([0-9a-f]{7,40}))(?:(\^)|~(\d{1,5}))?$/i;
const LIKE_NAMED = 20;

/**
 * The commit that a revision names: its id or the first seven digits or more, or `HEAD`, each with `^` or `~n` for the
 * nth commit before it. For who sees a part of the vault only commits that changed what it sees are there, and are
 * counted.
 *
 * @returns null when it names none
 * @throws GroveError `bad_input` where several commits begin so; `repository_unreadable`
 */
export async function findCommit(
  scope: Scope,
  past: VaultPast,
  revision: string,
): Promise<FoundCommit | null> {
  const [, head, digits = '', caret, count] = COMMIT.exec(revision) ?? [];
  if (head === undefined && digits === '') return null;
  const back = caret === undefined ? Number(count ?? 0) : 1;
  const start = head === undefined ? await namedCommit(scope, past, digits) : null;
  if (head === undefined && (start === null || back === 0)) return start;
  if (!seesAll(scope)) return await nthShown(scope, past, start, back);
  const from = start?.commit ?? past.history.status().tip;
  return from === null ? null : await nthParent(past, from, back);
}

async function namedCommit(scope: Scope, past: VaultPast, prefix: string): Promise<FoundCommit | null> {
  const { history } = past;
  const shown: FoundCommit[] = [];
  for (const found of history.commitsNamed(prefix, LIKE_NAMED))
    if (seesAll(scope) || (await history.changesAny(found.commit, shownPaths(scope)))) shown.push(found);
  if (shown.length === 0 && seesAll(scope)) return await notTakenUp(past, prefix.toLowerCase());
  if (shown.length > 1)
    throw new GroveError('bad_input', {
      name: 'revision',
      reason: `several commits begin with "${prefix}": send more of the id`,
    });
  return shown[0] ?? null;
}

async function nthParent(past: VaultPast, from: string, back: number): Promise<FoundCommit | null> {
  let found = await inHistory(past, from);
  for (let left = back; left > 0 && found !== null; left -= 1) {
    const [parent] = (await past.history.store.readCommit(found.commit)).parents;
    found = parent === undefined ? null : await inHistory(past, parent);
  }
  return found;
}

/** Null for a commit that lies beyond a shallow border. */
async function inHistory(past: VaultPast, oid: string): Promise<FoundCommit | null> {
  return past.history.commitsNamed(oid, 1)[0] ?? (await notTakenUp(past, oid));
}

/** While the history is still being read, a commit by its whole id: what was written just now can be undone. */
async function notTakenUp({ history }: VaultPast, oid: string): Promise<FoundCommit | null> {
  const isRead = history.status().phase === 'idle';
  if (isRead || oid.length < 40 || !(await history.store.has(oid))) return null;
  const { author } = await history.store.readCommit(oid);
  return { commit: oid, time: author.time, place: Number.MAX_SAFE_INTEGER };
}

async function nthShown(
  scope: Scope,
  { history }: VaultPast,
  start: FoundCommit | null,
  back: number,
): Promise<FoundCommit | null> {
  const after = start === null ? null : { commit: start.commit, path: null };
  let left = start === null ? back : back - 1;
  for await (const { commit } of history.walk({ path: null, ...shownWalk(scope), after, mostChanges: 1 })) {
    if (left === 0) return history.commitsNamed(commit, 1)[0] ?? null;
    left -= 1;
  }
  return null;
}
