import { errorCode, GroveError } from '@grove/core';

// https://www.sqlite.org/rescode.html; the low byte of an extended code is the primary one.
const SQLITE = {
  ERROR: 1,
  PERM: 3,
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
} as const;

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

/** Primary result code of an error of SQLite, or undefined for any other error. */
function sqliteCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
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
