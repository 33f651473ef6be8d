import { isGroveError, type Slices } from '@grove/core';
import { changedNotes } from './changed-notes.ts';
import { SLICE_ROWS } from './record-commit.ts';
import type { HistoryRows } from './rows.ts';

/**
 * Brings the blob that HEAD holds for each path up to date with this tree (null: nothing). Can be called
 * again after a kill in the middle.
 */
export async function updateHeadNotes(
  readTree: (oid: string) => Promise<Buffer>,
  rows: HistoryRows,
  tree: string | null,
  touched: Set<number>,
  slices: Slices,
): Promise<void> {
  if (rows.meta('head_pending') !== null) await forgetHead(rows, touched, slices);
  const changesSince = (before: string | null) => changedNotes(readTree, tree, [before], slices);
  const changes = await changesSince(rows.meta('head_tree')).catch(async (error: unknown) => {
    // What HEAD held before may be gone: pruned after an amended commit, or of a repository that was replaced.
    if (rows.meta('head_tree') === null || !isGroveError(error, 'repository_unreadable')) throw error;
    await forgetHead(rows, touched, slices);
    return await changesSince(null);
  });
  const oneSlice = changes.length <= SLICE_ROWS;
  for (let start = 0; start === 0 || start < changes.length; start += SLICE_ROWS) {
    rows.transaction(() => {
      if (!oneSlice && start === 0) rows.setMeta('head_pending', 'yes');
      for (const { path, kind, blob } of changes.slice(start, start + SLICE_ROWS)) {
        const { id } = rows.pathNamed(path);
        rows.setHead(id, kind === 'deleted' ? null : blob);
        touched.add(id);
      }
      if (oneSlice) rows.setMeta('head_tree', tree);
    });
    if (slices.spent) await slices.rest();
  }
  if (oneSlice) return;
  rows.transaction(() => {
    rows.setMeta('head_tree', tree);
    rows.setMeta('head_pending', null);
  });
}

async function forgetHead(rows: HistoryRows, touched: Set<number>, slices: Slices): Promise<void> {
  for (;;) {
    const paths = rows.headPaths(0, SLICE_ROWS);
    if (paths.length === 0) break;
    rows.transaction(() => {
      for (const { id } of paths) rows.setHead(id, null);
    });
    for (const { id } of paths) touched.add(id);
    if (slices.spent) await slices.rest();
  }
  rows.setMeta('head_tree', null);
}
