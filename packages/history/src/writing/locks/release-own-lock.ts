import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { diskWriteFs, errorCode, type WriteFs } from '@grove/core';
import type { GitLocation } from '../../repository/location.ts';
import { readGitFile } from '../../repository/small-file.ts';
import { writing } from '../write-failure.ts';
import { DIRECT_MARK } from './own-lock.ts';

/** Grove's own folder in a git dir: scratch files, and what else is under way. */
export function scratchFolder(location: Pick<GitLocation, 'gitDir'>): string {
  return join(location.gitDir, 'grove');
}

/**
 * Removes what a killed process of ours left: `index.lock` and locks of refs whose inode is that of a file in
 * Grove's folder of the git dir (or that hold our mark), then those files. A lock of anybody else stays. Only
 * for the one process that owns the vault, and before it writes.
 *
 * @returns what became of `index.lock`: `none` was there, it was ours and is `released`, or it is `foreign`
 */
export async function releaseOwnLock(
  location: GitLocation,
  fs: WriteFs = diskWriteFs,
): Promise<'none' | 'released' | 'foreign'> {
  return writing(async () => {
    const folder = scratchFolder(location);
    const names = await namesIn(folder);
    const inodes = new Set<string>();
    for (const { name } of names) {
      const found = await fileAt(join(folder, name));
      if (found !== null) inodes.add(found.id);
    }
    const outcome = await removeIfOurs(fs, join(location.gitDir, 'index.lock'), inodes);
    const scratches = names.filter(({ name }) => /^(?:index|ref)-[\w-]{22}$/.test(name));
    for (const lock of await locksBelow(join(location.commonDir, 'refs'))) {
      await removeIfOurs(fs, lock, inodes);
    }
    for (const { name } of scratches) await fs.unlink(join(folder, name));
    return outcome;
  });
}

async function removeIfOurs(
  fs: WriteFs,
  path: string,
  inodes: ReadonlySet<string>,
): Promise<'none' | 'released' | 'foreign'> {
  const found = await fileAt(path);
  if (found === null) return 'none';
  const marked = found.size === DIRECT_MARK.length && (await readGitFile(path)) === DIRECT_MARK;
  if (!inodes.has(found.id) && !marked) return 'foreign';
  await fs.unlink(path);
  return 'released';
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

async function fileAt(path: string): Promise<{ id: string; size: number } | null> {
  try {
    const { dev, ino, size } = await lstat(path, { bigint: true });
    return { id: `${dev}:${ino}`, size: Number(size) };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
