import { chownSync, lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, type WriteFs } from '@grove/core';

// Network shares that map owners refuse; whoever mounted them decided whose files these are.
const REFUSED = new Set(['EPERM', 'EINVAL', 'ENOTSUP', 'ENOSYS', 'ENOENT']);

/**
 * The same disk, where new files and folders belong to whom the folder above belongs: as root, who alone can give files
 * away. Without it the owner of a repository could not commit into the folders that a root's Grove made in it. For
 * others the disk as it is.
 *
 * @example const fs = withFolderOwner(diskWriteFs);
 */
export function withFolderOwner(fs: WriteFs): WriteFs {
  if (process.geteuid?.() !== 0) return fs;
  return {
    ...fs,
    async create(path, mode) {
      const handle = await fs.create(path, mode);
      give(path);
      return handle;
    },
    async append(path, mode) {
      const handle = await fs.append(path, mode);
      // One that was there is whose it is.
      if ((await handle.stat()).size === 0n) give(path);
      return handle;
    },
    async mkdir(path) {
      await fs.mkdir(path);
      give(path);
    },
  };
}

function give(path: string): void {
  try {
    const { uid, gid } = lstatSync(dirname(path));
    if (uid !== 0 || gid !== 0) chownSync(path, uid, gid);
  } catch (error) {
    if (!REFUSED.has(errorCode(error) ?? '')) throw error;
  }
}
