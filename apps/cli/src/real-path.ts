import { realpathSync } from 'node:fs';
import { errorCode } from '@grove/core';

/** Where a path leads, links followed; null where it cannot be followed: nothing is there, or it may not be looked at. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}
