import { errorCode, GroveError } from '@grove/core';

/** The one error of a repository that cannot be written; `reason` completes "cannot be written: …". */
export function unwritable(reason: string, cause?: unknown): GroveError {
  return new GroveError('repository_unwritable', { reason }, cause === undefined ? {} : { cause });
}

/**
 * Runs what writes to the git dir. What the disk refuses for good becomes `repository_full` or
 * `repository_unwritable`; every other error passes.
 */
export async function writing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new GroveError('repository_full', {}, { cause: error });
    if (code === 'EROFS') throw unwritable('its disk is read-only', error);
    if (code === 'EACCES' || code === 'EPERM') throw unwritable('this user may not write there', error);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw unwritable('a part of it is missing', error);
    if (code === 'EIO') throw unwritable('its disk failed', error);
    throw error;
  }
}
