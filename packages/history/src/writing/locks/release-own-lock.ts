import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { diskWriteFs, errorCode, type WriteFs } from '@grove/core';
import type { GitLocation } from '../../repository/location.ts';
import { readGitFile } from '../../repository/small-file.ts';
import { writing } from '../write-failure.ts';
import { fileAt, identity, markName, markText, ownFolder, vaultTag } from './own-mark.ts';

/**
 * Removes what a killed process of ours left: `index.lock` and locks of refs whose inode is that of this
 * vault's mark in the git dir, or that hold its text, then content that was not put in
 * place. A lock of anybody else stays. Only for the one process that owns the vault, and before it writes.
 *
 * @returns what became of `index.lock`: `none` was there, it was ours and is `released`, or it is `foreign`
 */
export async function releaseOwnLock(
  location: GitLocation,
  fs: WriteFs = diskWriteFs,
): Promise<'none' | 'released' | 'foreign'> {
  return writing(async () => {
    const folder = ownFolder(location);
    const mark = identity(join(folder, markName(location)));
    const text = markText(location);
    const isOurs = async (path: string) => {
      const found = fileAt(path);
      if (found === null) return false;
      return found.identity === mark || (found.size === text.length && (await readGitFile(path)) === text);
    };
    let outcome: 'none' | 'released' | 'foreign' = 'none';
    const indexLock = join(location.gitDir, 'index.lock');
    if (identity(indexLock) !== null) {
      outcome = (await isOurs(indexLock)) ? 'released' : 'foreign';
      if (outcome === 'released') await fs.unlink(indexLock);
    }
    for (const lock of await locksBelow(join(location.commonDir, 'refs'))) {
      if (await isOurs(lock)) await fs.unlink(lock);
    }
    const content = new RegExp(`^(?:index|ref)${vaultTag(location)}-[\\w-]{22}$`);
    for (const { name } of await namesIn(folder)) {
      if (content.test(name)) await fs.unlink(join(folder, name));
    }
    return outcome;
  });
}

async function locksBelow(folder: string): Promise<string[]> {
  const locks: string[] = [];
  for (const entry of await namesIn(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) locks.push(...(await locksBelow(path)));
    else if (entry.name.endsWith('.lock')) locks.push(path);
  }
  return locks;
}

async function namesIn(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
