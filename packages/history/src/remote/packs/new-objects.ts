import type { GitStore } from '../../git-store.ts';
import { NewestFirst } from '../../merging/newest-first.ts';
import type { Commit } from '../../objects/commit.ts';
import type { ObjectType } from '../../objects/git-object.ts';
import { isFolder, TreeCursor } from '../../objects/tree.ts';

/** An object that a history brings. */
export interface NewObject {
  readonly oid: string;
  readonly type: ObjectType;
  /** When the commit was made that brings it, in milliseconds since the epoch. */
  readonly time: number;
}

const SUBMODULE = 0o160000;

/**
 * All objects that lead to a commit, less those of commits that are known and of their ancestors: each once, commits
 * before what is in them. A merge brings only what none of its parents has.
 *
 * @param shallow commits whose parents are left out
 */
export async function* newObjects(
  store: GitStore,
  tip: string,
  known: readonly string[],
  shallow: ReadonlySet<string>,
): AsyncGenerator<NewObject> {
  const parentsOf = (commit: Commit) => (shallow.has(commit.oid) ? [] : commit.parents);
  const seen = new Set<string>();
  for (const commit of await newCommits(store, tip, known, parentsOf)) {
    const time = commit.committer.time;
    yield { oid: commit.oid, type: 'commit', time };
    const parents: string[] = [];
    for (const parent of parentsOf(commit)) parents.push((await store.readCommit(parent)).tree);
    yield* newInTree(store, commit.tree, parents, time, seen);
  }
}

/** Commits reachable from the tip and from none that is known (git-rev-list), the newest first. */
async function newCommits(
  store: GitStore,
  tip: string,
  known: readonly string[],
  parentsOf: (commit: Commit) => readonly string[],
): Promise<Commit[]> {
  const isKnown = new Map<string, boolean>();
  const waiting = new NewestFirst();
  // New commits that wait: once there are none, what waits leads to known ones alone.
  const open = new Set<string>();
  const enter = async (oid: string, knownNow: boolean) => {
    const before = isKnown.get(oid);
    if (before === true || before === knownNow) return;
    isKnown.set(oid, knownNow);
    if (knownNow) open.delete(oid);
    else open.add(oid);
    waiting.add(await store.readCommit(oid));
  };
  await enter(tip, false);
  for (const oid of known) await enter(oid, true);
  const found = new Map<string, Commit>();
  while (open.size > 0) {
    const commit = waiting.take()!;
    const knownNow = isKnown.get(commit.oid)!;
    open.delete(commit.oid);
    if (knownNow) found.delete(commit.oid);
    else found.set(commit.oid, commit);
    for (const parent of parentsOf(commit)) await enter(parent, knownNow);
  }
  return [...found.values()];
}

/** What a tree holds that lies at the same path in none of the others. */
async function* newInTree(
  store: GitStore,
  tree: string,
  others: readonly string[],
  time: number,
  seen: Set<string>,
): AsyncGenerator<NewObject> {
  if (others.includes(tree) || seen.has(tree)) return;
  seen.add(tree);
  yield { oid: tree, type: 'tree', time };
  const cursor = new TreeCursor(await store.treeBytes(tree));
  const beside: TreeCursor[] = [];
  for (const other of others) beside.push(new TreeCursor(await store.treeBytes(other)));
  for (const other of beside) other.next();
  while (cursor.next()) {
    const same = beside.filter((other) => standsAt(other, cursor));
    if (cursor.mode === SUBMODULE || same.some((other) => other.sameOid(cursor))) continue;
    if (isFolder(cursor.mode)) {
      const below = same.map((other) => other.oid());
      yield* newInTree(store, cursor.oid(), below, time, seen);
      continue;
    }
    const oid = cursor.oid();
    if (seen.has(oid)) continue;
    seen.add(oid);
    yield { oid, type: 'blob', time };
  }
}

/** Moves a cursor to the name where another one stands; true when it has that name, as a folder or a file too. */
function standsAt(cursor: TreeCursor, target: TreeCursor): boolean {
  while (cursor.standing) {
    const order = cursor.compareName(target);
    if (order === 0) return true;
    if (order > 0) return false;
    cursor.next();
  }
  return false;
}
