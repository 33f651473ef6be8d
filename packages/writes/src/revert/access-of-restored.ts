import type { VaultPath } from '@grove/core';
import type { GitStore } from '@grove/history';
import type { FileNow, PlannedChange, WriteEngine } from '../engine/contract.ts';
import { newestBatch, readFromTrash } from '../trash/batches.ts';
import type { KeyCommit } from './key-changes.ts';

export interface RestoredGround {
  /** Real path of the vault folder. */
  readonly root: string;
  readonly store: GitStore;
  readonly engine: Pick<WriteEngine, 'noteAt'>;
}

/**
 * The changes of an undoing, in which a note that comes back stays as private, and as executable, as it was: as it is
 * where the key moved it to, as it lies in the trash, else as git knows it.
 *
 * @param commits newest first
 * @param files the notes as they are now
 */
export async function withAccess(
  changes: readonly PlannedChange[],
  commits: readonly KeyCommit[],
  files: ReadonlyMap<VaultPath, FileNow | null>,
  ground: RestoredGround,
): Promise<readonly PlannedChange[]> {
  return await Promise.all(
    changes.map(async (change) =>
      change.after === null || files.get(change.path) != null
        ? change
        : { ...change, access: await accessOf(change.path, change.after, commits, files, ground) },
    ),
  );
}

async function accessOf(
  path: VaultPath,
  bytes: Uint8Array,
  commits: readonly KeyCommit[],
  files: ReadonlyMap<VaultPath, FileNow | null>,
  { root, store, engine }: RestoredGround,
): Promise<NonNullable<PlannedChange['access']> | null> {
  const moved = files.get(movedTo(path, commits)) ?? null;
  if (moved !== null) return moved.access;
  const batch = await newestBatch(root, path);
  const trashed = batch === null ? null : await readFromTrash(root, batch, path);
  if (trashed !== null && Buffer.compare(trashed.bytes, bytes) === 0) return trashed.access;
  const last = commits.find(({ changes }) =>
    changes.some((change) => change.path === path && change.before !== null),
  );
  const [parent] = last === undefined ? [] : (await store.readCommit(last.commit)).parents;
  const then = parent === undefined ? null : await engine.noteAt(path, parent);
  return then?.isExecutable === true ? 'executable' : null;
}

/** Where the key's moves took a note. */
function movedTo(path: VaultPath, commits: readonly KeyCommit[]): VaultPath {
  let at = path;
  for (const { changes, together } of commits.toReversed()) {
    const went = together && changes.some((change) => change.path === at && change.after === null);
    const came = went ? changes.find((change) => change.before === null) : undefined;
    at = came?.path ?? at;
  }
  return at;
}
