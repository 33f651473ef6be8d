import { lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, randomId } from '@grove/core';

/** A file of ours beside the engine's: it vanishes with whatever deletes the folder or empties it. */
const MARKER = 'grove-index';

/** Identity of an index folder while it is open. */
export interface FolderIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Marks the folder as holding our index. Rejects with the system's `code`. */
export async function markFolder(dir: string): Promise<FolderIdentity> {
  await mkdir(dir, { recursive: true });
  const marker = join(dir, MARKER);
  await writeFile(marker, `${randomId()}\n`);
  const { dev, ino } = await lstat(marker, { bigint: true });
  return { dev, ino };
}

/** True while the folder still holds the marker that was written at open. */
export async function isSameFolder(dir: string, identity: FolderIdentity): Promise<boolean> {
  try {
    const { dev, ino } = await lstat(join(dir, MARKER), { bigint: true });
    return dev === identity.dev && ino === identity.ino;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}

/** Deletes the folder with all that is in it; the index is derived and can always be made again. */
export async function removeFolder(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true, maxRetries: 3 });
}
