import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { errorCode } from './errors.ts';

/** What Windows, some network file systems and folders closed to this user answer; what was done there stands. */
const UNSYNCABLE: ReadonlySet<string> = new Set(['EISDIR', 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP']);

/** True when an error of opening or syncing a folder says that this one cannot be synced. */
export function isUnsyncable(error: unknown): boolean {
  return UNSYNCABLE.has(errorCode(error) ?? '');
}

/**
 * Brings the names that a folder holds to the disk. A folder that the system cannot sync is passed over.
 *
 * @throws what opening and syncing throw: `ENOENT`, `EIO`
 * @example await syncFolder(dirname(path))
 */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!isUnsyncable(error)) throw error;
  }
}

/** As {@link syncFolder}, on the calling thread: for what is made once, at a start. */
export function syncFolderNow(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!isUnsyncable(error)) throw error;
  }
}
