import { statSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { errorCode } from '@grove/core';

/** True when something has this name, a link that leads nowhere included. Throws what the disk refuses. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** True when the name leads to something; on the calling thread, for the middle of a write. */
export function leadsSomewhere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
