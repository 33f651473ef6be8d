import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@grove/core';
import type { NoteRow } from '@grove/vault';

/** A file changed less than this before now may change again without its times saying so. */
const SETTLED_MS = 2_000;

/**
 * Looks whether files still are what the catalog read: the same inode, size and times. Reads no bytes, and costs a
 * tenth of reading the note again. Never true for a file that changed just now.
 *
 * @param root real path of the vault folder
 */
export function fileCheck(root: string, now: () => number): (row: NoteRow) => Promise<boolean> {
  return async ({ diskPath, stat }) => {
    try {
      const found = await lstat(join(root, diskPath), { bigint: true });
      return (
        Number(found.mtimeMs) < now() - SETTLED_MS &&
        String(found.dev) === stat.dev &&
        String(found.ino) === stat.ino &&
        Number(found.size) === stat.size &&
        String(found.mtimeNs) === stat.mtimeNs &&
        String(found.ctimeNs) === stat.ctimeNs &&
        found.isFile()
      );
    } catch (error) {
      // Gone, or not to be reached: reading it tells what it is.
      if (errorCode(error) !== undefined) return false;
      throw error;
    }
  };
}
