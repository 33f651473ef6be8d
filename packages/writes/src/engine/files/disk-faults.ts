import { errorCode, GroveError, outOfFiles } from '@grove/core';

const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'its disk is read-only',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EIO: 'the disk answers with an error',
  EFBIG: 'a file would be too large for the disk',
  ENAMETOOLONG: 'a name is too long for the disk',
};

/**
 * `disk_full`, `files_exhausted` or `disk_unwritable` for what the system refuses of a file of the vault, naming no
 * path; other errors as they are.
 */
export function diskFault(error: unknown): unknown {
  if (error instanceof GroveError) return error;
  const code = errorCode(error);
  if (code === undefined || typeof error !== 'object' || error === null || !('syscall' in error))
    return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new GroveError('disk_full', {}, { cause: error });
  const exhausted = outOfFiles(error);
  if (exhausted !== null) return exhausted;
  const reason = REASONS[code] ?? `the system answers ${code}`;
  return new GroveError('disk_unwritable', { reason }, { cause: error });
}
