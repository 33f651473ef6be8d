import { GroveError, Slices } from '@grove/core';
import type { GitStore } from '../git-store.ts';
import type { Commit } from '../objects/commit.ts';
import { isAncestor } from '../writing/refs/is-ancestor.ts';
import { NewestFirst } from './newest-first.ts';

const OURS = 1;
const THEIRS = 2;
/** Reached from a common commit: nothing below it is a better one. */
const STALE = 4;
/** Commits that are walked: a history of this size takes some 100 MB meanwhile. */
const MOST_COMMITS = 500_000;

/**
 * The best common commits of two, newest first, as `git merge-base --all` finds them; none for histories that have
 * nothing in common, or whose common part a shallow clone leaves out.
 *
 * @throws GroveError `repository_unreadable`, `sync_unsupported`; what the slices reject with
 */
export async function mergeBases(
  store: GitStore,
  ours: string,
  theirs: string,
  slices = new Slices(),
): Promise<readonly string[]> {
  if (ours === theirs) return [ours];
  const shallow = await store.shallowCommits();
  const read = async (oid: string): Promise<Commit> => {
    if (slices.spent) await slices.rest();
    const commit = await store.readCommit(oid);
    return shallow.has(oid) ? { ...commit, parents: [] } : commit;
  };
  const common = await commonCommits(read, ours, theirs);
  const best: Commit[] = [];
  for (const commit of common) {
    const others = common.filter(({ oid }) => oid !== commit.oid);
    const below = await anyOf(others, ({ oid }) => isAncestor(commit, oid, read));
    if (!below) best.push(commit);
  }
  return best.sort((a, b) => b.committer.time - a.committer.time).map(({ oid }) => oid);
}

/** Git's own walk (commit-reach, paint_down_to_common): from both, the newest first, until all that is left is stale. */
async function commonCommits(
  read: (oid: string) => Promise<Commit>,
  ours: string,
  theirs: string,
): Promise<Commit[]> {
  const flags = new Map<string, number>([
    [ours, OURS],
    [theirs, THEIRS],
  ]);
  const queue = new NewestFirst(await read(ours), await read(theirs));
  const found: Commit[] = [];
  while (queue.some(({ oid }) => (flags.get(oid)! & STALE) === 0)) {
    const commit = queue.take()!;
    let flag = flags.get(commit.oid)!;
    if (flag === (OURS | THEIRS)) {
      if (!found.some(({ oid }) => oid === commit.oid)) found.push(commit);
      flag |= STALE;
    }
    for (const parent of commit.parents) {
      const known = flags.get(parent) ?? 0;
      if ((known & flag) === flag) continue;
      flags.set(parent, known | flag);
      queue.add(await read(parent));
    }
    if (flags.size > MOST_COMMITS)
      throw new GroveError('sync_unsupported', {
        reason: `the two histories part more than ${MOST_COMMITS.toLocaleString('en')} commits ago`,
      });
  }
  return found.filter(({ oid }) => (flags.get(oid)! & STALE) === 0);
}

async function anyOf<Item>(
  items: readonly Item[],
  holds: (item: Item) => Promise<boolean>,
): Promise<boolean> {
  for (const item of items) if (await holds(item)) return true;
  return false;
}
