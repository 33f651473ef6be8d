import { errorCode, GroveError, SQLITE, sqliteCode } from '@grove/core';

/** What a code of the system says of the data folder, without the path that its message would name. */
const SYSTEM: Readonly<Record<string, string>> = {
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  EROFS: 'its disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'something on its path is not a folder',
  ENOTDIR: 'something on its path is not a folder',
  ELOOP: 'its path is a loop of links',
  ENAMETOOLONG: 'its path is too long',
};

/** An error of control.db. `reason` goes after "cannot be read:". */
export function damaged(reason: string, cause?: unknown): GroveError {
  return new GroveError('control_damaged', { reason }, { cause });
}

/**
 * Runs work on control.db or its folder; what SQLite or the system refuses becomes a `GroveError` that names no
 * path. Errors of our own code stay as they are.
 */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw controlFault(error);
  }
}

function controlFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof GroveError) return error;
  const result = sqliteCode(error);
  if (result !== undefined) return sqliteFault(error, result);
  const code = errorCode(error);
  // An integer of a row that is beyond 2^53.
  if (code === 'ERR_OUT_OF_RANGE') return damaged('a row holds a value that cannot be', error);
  if (code === undefined || !('syscall' in error)) return error;
  const words = SYSTEM[code];
  return unwritable(words === undefined ? code : `${words} (${code})`, error);
}

function sqliteFault(error: Error, code: number): unknown {
  switch (code) {
    case SQLITE.BUSY:
    case SQLITE.LOCKED:
    case SQLITE.PROTOCOL:
      return new GroveError('control_locked', {}, { cause: error });
    case SQLITE.CORRUPT:
      return damaged('it is damaged', error);
    case SQLITE.NOTADB:
      return damaged('it is not a database', error);
    // Our statements are sound, so a table or column that they name is missing.
    case SQLITE.ERROR:
      return damaged('its tables are not those of Grove', error);
    case SQLITE.FULL:
      return unwritable('the disk is full', error);
    case SQLITE.READONLY:
    case SQLITE.PERM:
      return unwritable('control.db may only be read', error);
    case SQLITE.CANTOPEN:
      return unwritable('control.db cannot be opened', error);
    case SQLITE.IOERR:
      return unwritable('the disk answers with an error', error);
    default:
      return error;
  }
}

function unwritable(reason: string, cause: unknown): GroveError {
  return new GroveError('data_unwritable', { reason }, { cause });
}
