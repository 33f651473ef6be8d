import { join } from 'node:path';
import { diskWriteFs, errorCode, GroveError } from '@grove/core';
import type { GitStore } from '../../git-store.ts';
import type { GitLocation } from '../../repository/location.ts';
import { withFolderOwner } from '../../writing/locks/folder-owner.ts';

/** Adds commits to those that lack their parents (gitrepository-layout, "shallow"), under git's lock for it. */
export async function addShallow(
  location: GitLocation,
  store: GitStore,
  added: ReadonlySet<string>,
): Promise<void> {
  const fs = withFolderOwner(diskWriteFs);
  const path = join(location.commonDir, 'shallow');
  const lock = `${path}.lock`;
  try {
    const handle = await fs.create(lock, 0o666);
    try {
      // Another program may have brought parents since.
      const commits = [...new Set([...(await store.shallowCommits()), ...added])].sort();
      await handle.write(Buffer.from(commits.map((oid) => `${oid}\n`).join('')));
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new GroveError('git_busy', { reason: 'the file "shallow.lock" is there' }, { cause: error });
  }
  await fs.rename(lock, path);
  await fs.sync(location.commonDir);
}
