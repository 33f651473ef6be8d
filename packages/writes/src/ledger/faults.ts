import { errorCode, GroveError, SQLITE, sqliteCode } from '@grove/core';

const DAMAGE: ReadonlySet<number> = new Set([SQLITE.CORRUPT, SQLITE.NOTADB, SQLITE.ERROR]);

const REASONS: Readonly<Record<number, string>> = {
  [SQLITE.BUSY]: 'another process holds it',
  [SQLITE.LOCKED]: 'another process holds it',
  [SQLITE.FULL]: 'the disk is full',
  [SQLITE.READONLY]: 'it may only be read',
  [SQLITE.PERM]: 'it may only be read',
  [SQLITE.CANTOPEN]: 'it cannot be opened',
  [SQLITE.IOERR]: 'the disk answers with an error',
};

/** Damage that SQLite itself does not call so; it carries SQLite's code for it. */
export class Damage extends Error {
  readonly errcode = SQLITE.CORRUPT;
}

/** True when an error of SQLite says that the file itself is damaged, or not a ledger. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && DAMAGE.has(code);
}

/** `ledger_unavailable` for what SQLite refuses, naming no path; any other error as it is. */
export function ledgerFault(error: unknown): unknown {
  const code = sqliteCode(error);
  if (code !== undefined) {
    const reason = DAMAGE.has(code) ? 'it is damaged; it is made anew at the next start' : REASONS[code];
    return unavailable(reason ?? `SQLite answers with ${code}`, error);
  }
  if (errorCode(error) === 'ERR_INVALID_STATE') return new GroveError('stopping', {}, { cause: error });
  return error;
}

/** The error of a ledger that cannot be used; `reason` completes "cannot be used: …". */
export function unavailable(reason: string, cause?: unknown): GroveError {
  return new GroveError('ledger_unavailable', { reason }, cause === undefined ? {} : { cause });
}
