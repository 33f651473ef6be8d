import { errorCode, GroveError, SQLITE, sqliteCode } from '@grove/core';

const FULL = 'the disk is full';
const FULL_QUOTA = 'the disk quota is used up';
const FAILING = 'the disk answers with an error';

/** What to do where the right to write is not what lacks. */
const HINTS: Readonly<Record<string, string>> = {
  [FULL]: 'Make room there, then try again: what was kept before is whole.',
  [FULL_QUOTA]: 'Make room there, then try again: what was kept before is whole.',
  [FAILING]: 'Look whether that disk is full or failing, then try again.',
};

/** What a code of the system says of the data folder, without the path that its message would name. */
const SYSTEM: Readonly<Record<string, string>> = {
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  EROFS: 'its disk is read-only',
  ENOSPC: FULL,
  EDQUOT: FULL_QUOTA,
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
  return unwritable(words ?? code, error, code);
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
      return unwritable(FULL, error);
    case SQLITE.READONLY:
    case SQLITE.PERM:
      return unwritable('control.db may only be read', error);
    case SQLITE.CANTOPEN:
      return unwritable('control.db cannot be opened', error);
    case SQLITE.IOERR:
      return unwritable(FAILING, error);
    default:
      return error;
  }
}

function unwritable(what: string, cause: unknown, code?: string): GroveError {
  const reason = code === undefined || code === what ? what : `${what} (${code})`;
  const hint = HINTS[what];
  return new GroveError('data_unwritable', { reason }, hint === undefined ? { cause } : { cause, hint });
}
