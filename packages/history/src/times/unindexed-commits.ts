import type { Slices } from '@grove/core';
import type { Commit } from '../objects/commit.ts';

export interface UnindexedCommits {
  /** Parents before children, else by committer time. */
  readonly order: readonly string[];
  /** Known commits at which the walk ended. */
  readonly known: ReadonlySet<string>;
}

/**
 * Commits that can be reached from `tip` and are not known yet. `read` gives a commit with the parents that
 * count (none for the border of a shallow clone).
 */
export async function unindexedCommits(
  tip: string,
  read: (oid: string) => Promise<Pick<Commit, 'parents' | 'committer'>>,
  isKnown: (oid: string) => boolean,
  slices: Slices,
): Promise<UnindexedCommits> {
  const found = new Map<string, { readonly parents: readonly string[]; readonly time: number }>();
  const known = new Set<string>();
  const open = [tip];
  for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
    if (found.has(oid) || known.has(oid)) continue;
    if (isKnown(oid)) {
      known.add(oid);
      continue;
    }
    const { parents, committer } = await read(oid);
    found.set(oid, { parents, time: committer.time });
    open.push(...parents);
    if (slices.spent) await slices.rest();
  }
  return { order: await parentsFirst(found, slices), known };
}

type Found = ReadonlyMap<string, { readonly parents: readonly string[]; readonly time: number }>;

async function parentsFirst(found: Found, slices: Slices): Promise<string[]> {
  const children = new Map<string, string[]>();
  const missing = new Map<string, number>();
  // Commits whose parents are placed, newest first: the oldest is taken from the end.
  const ready: string[] = [];
  const timeOf = (oid: string) => found.get(oid)!.time;
  const insert = (oid: string) => {
    let low = 0;
    for (let high = ready.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (timeOf(ready[middle]!) > timeOf(oid)) low = middle + 1;
      else high = middle;
    }
    ready.splice(low, 0, oid);
  };
  for (const [oid, { parents }] of found) {
    const unplaced = new Set(parents.filter((parent) => found.has(parent)));
    missing.set(oid, unplaced.size);
    if (unplaced.size === 0) insert(oid);
    for (const parent of unplaced) {
      const siblings = children.get(parent);
      if (siblings === undefined) children.set(parent, [oid]);
      else siblings.push(oid);
    }
    if (slices.spent) await slices.rest();
  }
  const order: string[] = [];
  for (let oid = ready.pop(); oid !== undefined; oid = ready.pop()) {
    order.push(oid);
    for (const child of children.get(oid) ?? []) {
      const left = missing.get(child)! - 1;
      missing.set(child, left);
      if (left === 0) insert(child);
    }
    if (slices.spent) await slices.rest();
  }
  return order;
}
