import { dirname, join } from 'node:path';
import { type Clock, errorCode, GroveError, hasNoLinks, type VaultPath, type WriteFs } from '@grove/core';
import { LARGEST_FILE, readPlainFile } from './read-file.ts';

const MAX_TRIES = 1_000;
const MAX_NAME_BYTES = 160;
const MAX_EXTENSION_BYTES = 20;

/**
 * Gives words that would be lost a name beside the file: `Name (conflict 2025-01-31 09-05-00).md`. The file moves
 * there from `from` (an absolute path) and is never written over anything.
 *
 * @returns the new path, vault-relative
 */
export async function saveConflict(
  { root, fs, clock }: { readonly root: string; readonly fs: WriteFs; readonly clock: Clock },
  diskPath: string,
  from: string,
): Promise<VaultPath> {
  for (let count = 1; count <= MAX_TRIES; count += 1) {
    const path = conflictPath(diskPath, clock.now(), count);
    try {
      await moveByLink(fs, from, join(root, path));
      return path as VaultPath;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue;
      if (!hasNoLinks(error)) throw error;
    }
    if (await copyOnce(fs, from, join(root, path), diskPath)) return path as VaultPath;
  }
  throw new GroveError('disk_unwritable', { reason: 'there is no free name for a conflict file' });
}

/**
 * Gives a file another name that nobody has, durably before the old one goes: a power loss leaves one of the two.
 * Throws `EEXIST` as the system does.
 */
export async function moveByLink(fs: WriteFs, from: string, to: string): Promise<void> {
  await fs.link(from, to);
  await fs.sync(dirname(to));
  await fs.unlink(from);
}

function conflictPath(diskPath: string, time: number, count: number): string {
  const mark = new Date(time).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '-');
  return copyName(diskPath, mark, count);
}

/**
 * The name of a copy beside a file, which everybody takes for one (the catalog's conflict copies).
 *
 * @example copyName('Beds/Plan.md', '2026-11-30 origin', 2) // 'Beds/Plan (conflict 2026-11-30 origin 2).md'
 */
export function copyName(diskPath: string, mark: string, count: number): string {
  const slash = diskPath.lastIndexOf('/') + 1;
  const dot = diskPath.lastIndexOf('.');
  const end = dot > slash ? diskPath.slice(dot) : '';
  // A long one is no extension, and a note's is spelled as Grove spells it.
  const extension = /^\.md$/i.test(end) ? '.md' : Buffer.byteLength(end) > MAX_EXTENSION_BYTES ? '' : end;
  let name = diskPath.slice(slash, extension === '' ? undefined : dot);
  while (Buffer.byteLength(name) > MAX_NAME_BYTES) name = [...name].slice(0, -1).join('');
  return `${diskPath.slice(0, slash)}${name} (conflict ${mark}${count === 1 ? '' : ` ${count}`})${extension}`;
}

async function copyOnce(fs: WriteFs, from: string, to: string, path: string): Promise<boolean> {
  const file = readPlainFile(from, path, 2, LARGEST_FILE);
  if (file === null) return true;
  try {
    const handle = await fs.create(to, Number(file.stat.mode & 0o777n));
    try {
      await handle.write(file.bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
  await fs.sync(dirname(to));
  await fs.unlink(from);
  return true;
}
