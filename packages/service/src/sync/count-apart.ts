import type { Commit, GitStore } from '@grove/history';

/** Commits that one side has and the other lacks. */
export interface Apart {
  readonly ahead: number;
  readonly behind: number;
}

/** More than so many commits are not looked at for a count. */
const MOST = 5_000;
const OURS = 1;
const THEIRS = 2;
const BOTH = OURS | THEIRS;

/**
 * Counts the commits by which two tips are apart, newest first as `git status` does; null where that takes too many
 * looks, and where a commit cannot be read.
 *
 * @example (await countApart(store, head, tip))?.ahead // 0
 */
export async function countApart(
  store: GitStore,
  ours: string | null,
  theirs: string | null,
): Promise<Apart | null> {
  if (ours === theirs) return { ahead: 0, behind: 0 };
  const shallow = await store.shallowCommits();
  const sides = new Map<string, number>();
  const open: Commit[] = [];
  const see = async (oid: string, side: number): Promise<void> => {
    const known = sides.get(oid) ?? 0;
    sides.set(oid, known | side);
    if (known === 0) insertByTime(open, await store.readCommit(oid));
  };
  if (ours !== null) await see(ours, OURS);
  if (theirs !== null) await see(theirs, THEIRS);
  const apart = { [OURS]: 0, [THEIRS]: 0 };
  for (let looks = 0; open.some(({ oid }) => sides.get(oid) !== BOTH); looks += 1) {
    if (looks === MOST) return null;
    const commit = open.pop()!;
    const side = sides.get(commit.oid) ?? 0;
    if (side === OURS || side === THEIRS) apart[side] += 1;
    if (!shallow.has(commit.oid)) for (const parent of commit.parents) await see(parent, side);
  }
  return { ahead: apart[OURS], behind: apart[THEIRS] };
}

/** The newest last. */
function insertByTime(open: Commit[], commit: Commit): void {
  const { time } = commit.committer;
  const at = open.findLastIndex((other) => other.committer.time <= time);
  open.splice(at + 1, 0, commit);
}
