import { lstatSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, GroveError, randomId, syncFolder, type VaultPath } from '@grove/core';
import type { FileAccess } from '../engine/contract.ts';
import { findPlace } from '../engine/files/find-place.ts';
import { readPlainFile } from '../engine/files/read-file.ts';
import { accessOf } from '../engine/look-at-files.ts';

/** A note as it lies in the trash. */
export interface TrashedNote {
  readonly bytes: Uint8Array;
  readonly access: FileAccess | null;
}

/** Folder of the vault that deleted notes go to: `.trash/<batch>/<path>`. */
export const TRASH = '.trash';

/** Names of batches are in the order of time. */
const BATCH = /^\d{8}-\d{6}-[A-Za-z0-9_-]{6}$/;

/** A new name of a batch: what one call deletes lies together. `now` in milliseconds since the epoch. */
export function newBatch(now: number): string {
  const [day = '', time = ''] = new Date(now).toISOString().split(/[T.]/);
  return `${day.replaceAll('-', '')}-${time.replaceAll(':', '')}-${randomId().slice(0, 6)}`;
}

/**
 * Keeps a note in the trash, synced, in the place of what an earlier try of the same batch put there. It keeps its
 * permissions and its owner; who may not look into the trash cannot reach it all the same.
 */
export async function putIntoTrash(
  root: string,
  batch: string,
  path: VaultPath,
  { bytes, access }: TrashedNote,
): Promise<void> {
  const { diskPath } = await findPlace(root, inTrash(batch, path));
  const target = join(root, diskPath);
  await makeFolders(root, dirname(diskPath));
  await rm(target, { force: true });
  const file = await open(target, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    if (access !== null) await giveAccess(file, access);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(dirname(target));
}

/** The note that lies in the trash, or null when that batch holds no such note. */
export async function readFromTrash(
  root: string,
  batch: string,
  path: VaultPath,
): Promise<TrashedNote | null> {
  if (!BATCH.test(batch)) return null;
  const { diskPath, stat } = await findPlace(root, inTrash(batch, path));
  const read = stat === null ? null : readPlainFile(join(root, diskPath), path);
  return read === null ? null : { bytes: read.bytes, access: accessOf(read.stat) };
}

/** Every batch, the oldest first. A link in the place of one, or of the trash, is none. */
export async function batchesIn(root: string): Promise<string[]> {
  const trash = join(root, TRASH);
  if (!isFolder(trash)) return [];
  const names = (await namesIn(trash)).filter((name) => BATCH.test(name) && isFolder(join(trash, name)));
  return names.sort();
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** When a batch was made, in milliseconds since the epoch: its name tells, to the second. */
export function deletedAt(batch: string): number {
  return Date.parse(batch.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d).*$/, '$1-$2-$3T$4:$5:$6Z'));
}

/** The newest batch that holds a note of this path, or null. */
export async function newestBatch(root: string, path: VaultPath): Promise<string | null> {
  for (const batch of (await batchesIn(root)).reverse())
    if (lstatSync(join(root, inTrash(batch, path)), { throwIfNoEntry: false })?.isFile()) return batch;
  return null;
}

/** Takes a copy out again, with the folders that it leaves empty. */
export async function takeFromTrash(root: string, batch: string, path: VaultPath): Promise<void> {
  await rm(join(root, inTrash(batch, path)), { force: true });
  const folders = inTrash(batch, path).split('/').slice(0, -1);
  for (let depth = folders.length; depth > 0; depth -= 1) {
    try {
      await rmdir(join(root, ...folders.slice(0, depth)));
    } catch (error) {
      // Something else lies in it, or it is gone already.
      if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errorCode(error) ?? '')) return;
      throw error;
    }
  }
}

/** Never leaves this folder of ours: the engine is only asked where the path lies. */
function inTrash(batch: string, path: VaultPath): VaultPath {
  return `${TRASH}/${batch}/${path}` as VaultPath;
}

async function makeFolders(root: string, folder: string): Promise<void> {
  const segments = folder.split('/');
  for (const [at] of segments.entries()) {
    const made = join(root, ...segments.slice(0, at + 1));
    try {
      await mkdir(made, 0o700);
      await syncFolder(dirname(made));
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      if (!lstatSync(made).isDirectory())
        throw new GroveError('disk_unwritable', {
          reason: `"${TRASH}" holds a file where a folder is needed`,
        });
    }
  }
}

async function giveAccess(file: FileHandle, { permissions, owner }: FileAccess): Promise<void> {
  try {
    // The owner first: giving a file away takes some permissions with it.
    if (process.geteuid?.() === 0) await file.chown(owner.uid, owner.gid);
    await file.chmod(permissions);
  } catch (error) {
    // Network shares that map owners and permissions refuse; the note matters more.
    if (!['EPERM', 'EINVAL', 'ENOTSUP', 'ENOSYS'].includes(errorCode(error) ?? '')) throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
