import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { GroveError, sqliteCode } from '@grove/core';

/** How long a lock of another process is waited for. */
const PATIENCE_MS = 5_000;

/**
 * Copies a SQLite database as it is at one moment, while others go on writing to it. The copy is one file, without a
 * log beside it.
 *
 * @param named what an error calls it
 * @throws GroveError `backup_failed`
 * @example snapshotDatabase('/data/control.db', '/tmp/copy.db', 'control.db')
 */
export function snapshotDatabase(path: string, copy: string, named: string): void {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: PATIENCE_MS });
    try {
      // SQLite takes an empty file as it is, with its mode.
      closeSync(openSync(copy, 'wx', 0o600));
      database.prepare('VACUUM INTO ?').run(copy);
    } finally {
      database.close();
    }
  } catch (cause) {
    if (sqliteCode(cause) === undefined || !(cause instanceof Error)) throw cause;
    throw new GroveError('backup_failed', { reason: `SQLite says of ${named}: ${cause.message}` }, { cause });
  }
}

/** What contradicts itself in a database that nobody writes to; null for a sound one. */
export function databaseFault(path: string): string | null {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const found = database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
      return found === 'ok' ? null : String(found);
    } finally {
      database.close();
    }
  } catch (error) {
    if (sqliteCode(error) === undefined || !(error instanceof Error)) throw error;
    return error.message;
  }
}
