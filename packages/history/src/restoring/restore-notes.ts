import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, systemClock } from '@grove/core';
import { openGitStore } from '../git-store.ts';
import { checkOut } from '../remote/steps/check-out.ts';
import type { GitLocation } from '../repository/location.ts';
import { openGitWriter } from '../writing/git-writer.ts';

/** Where files are written first, in the folder itself: that may be a mount of its own. */
const UNFINISHED = '.grove-restore';

/**
 * Writes all files of the last commit of a git dir that Grove keeps into a folder that is empty. They appear in it when
 * all of them are written; when it fails, it is empty as before.
 *
 * @returns the commit, null where there is none yet
 * @throws GroveError `repository_unreadable`, `remote_history_unusable`
 * @example await restoreNotes('/data/vaults/garden/git', '/home/ada/garden')
 */
export async function restoreNotes(
  gitDir: string,
  dir: string,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<string | null> {
  const staging = join(dir, UNFINISHED);
  const location: GitLocation = { gitDir, commonDir: gitDir, workTreeRoot: staging, prefix: '' };
  await using store = await openGitStore(location);
  const { oid: commit } = await store.resolveHead();
  if (commit === null) return null;
  await rm(staging, { recursive: true, force: true });
  try {
    await mkdir(staging, { mode: 0o700 });
    await using writer = await openGitWriter(location, { clock: systemClock });
    await checkOut(writer, store, {
      host: 'that Grove keeps',
      dir: staging,
      commit,
      onProgress: ({ done, total }) => onProgress(done, total ?? 0),
    });
    for (const name of await readdir(staging)) await rename(join(staging, name), join(dir, name));
    await rmdir(staging);
    await syncFolder(dir);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
  return commit;
}
