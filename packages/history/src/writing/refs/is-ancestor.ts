import type { Commit } from '../../objects/commit.ts';

// Clocks of several machines differ; git's own walk allows for a day too.
const SLACK_MS = 24 * 60 * 60 * 1000;
// A clock may have been wrong by years: so many commits that look too old are followed all the same.
const MAX_OLDER = 2000;

/**
 * True when `ancestor` is `of` or can be reached from it through parents. Past the ancestor's own time, less
 * a day, it follows some 2,000 commits more: the walk is short for a recent one.
 */
export async function isAncestor(
  ancestor: Commit,
  of: string,
  read: (oid: string) => Promise<Commit>,
): Promise<boolean> {
  const oldest = ancestor.committer.time - SLACK_MS;
  const seen = new Set([of]);
  let older = 0;
  // A set is walked in the order of insertion, and what is added meanwhile comes too.
  for (const oid of seen) {
    if (oid === ancestor.oid) return true;
    const commit = await read(oid);
    if (commit.committer.time < oldest && ++older > MAX_OLDER) continue;
    for (const parent of commit.parents) seen.add(parent);
  }
  return false;
}
