import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { randomId } from './ids.ts';
import { syncFolderNow } from './sync-folder.ts';

/**
 * Keeps a database as it is before its tables are changed, beside it as `<name>.version-<N>` (mode 0600), N being its
 * `user_version`. An earlier copy of that version is an earlier state, and gives way. Nothing is kept of a file in which
 * another process has changed the tables meanwhile.
 *
 * @param database open, and outside of a transaction
 * @throws what SQLite and the system answer
 * @example keepCopy(database, '/data/control.db', 2) // '/data/control.db.version-2'
 */
export function keepCopy(database: DatabaseSync, path: string, version: number): void {
  const fresh = `${path}.${randomId()}.tmp`;
  try {
    // SQLite takes an empty file as it is, with its mode.
    closeSync(openSync(fresh, 'wx', 0o600));
    database.prepare('VACUUM INTO ?').run(fresh);
    if (versionOf(fresh) !== version) return;
    syncFile(fresh);
    renameSync(fresh, `${path}.version-${version}`);
    syncFolderNow(dirname(path));
  } finally {
    rmSync(fresh, { force: true });
  }
}

function versionOf(path: string): number {
  const copy = new DatabaseSync(path, { readOnly: true });
  try {
    return Number(copy.prepare('PRAGMA user_version').get()?.user_version);
  } finally {
    copy.close();
  }
}

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
