import type { Slices } from '@grove/core';
import { removeCommit } from './record-commit.ts';
import type { HistoryRows } from './rows.ts';

const PAGE_ROWS = 500;

/**
 * After a forced push, an amended commit or another branch: takes out every commit that cannot be reached
 * from `from` any more, children before parents, so that what stays is whole at any moment.
 */
export async function removeUnreachable(
  rows: HistoryRows,
  from: Iterable<string>,
  slices: Slices,
): Promise<void> {
  const reachable = new Set<string>();
  const open = [...from];
  for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
    if (reachable.has(oid)) continue;
    reachable.add(oid);
    open.push(...(rows.commit(oid)?.parents ?? []));
    if (slices.spent) await slices.rest();
  }
  const lost: number[] = [];
  for (let after = 0; ; ) {
    const page = rows.commitsAfter(after, PAGE_ROWS);
    for (const { oid, seq } of page) if (!reachable.has(oid)) lost.push(seq);
    if (page.length < PAGE_ROWS) break;
    after = page.at(-1)!.seq;
    if (slices.spent) await slices.rest();
  }
  for (const seq of lost.reverse()) await removeCommit(rows, seq, slices);
}
