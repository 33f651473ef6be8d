import { closeSync, constants, copyFileSync, linkSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode, hasNoLinks, randomId, syncFolderNow } from '@grove/core';
import { migrate } from './migrations.ts';

/**
 * Makes an empty control.db at `path` (mode 0600); nothing when another process makes one first. It appears there
 * whole, so that an empty or cut file can only be a damaged one.
 */
export function createControlFile(path: string): void {
  const fresh = `${path}.${randomId()}.tmp`;
  try {
    // SQLite gives the files beside it the mode of the database.
    closeSync(openSync(fresh, 'wx', 0o600));
    const database = new DatabaseSync(fresh);
    try {
      database.exec('PRAGMA synchronous = FULL');
      migrate(database);
      database.exec('PRAGMA journal_mode = WAL');
    } finally {
      database.close();
    }
    publish(fresh, path);
    syncFolderNow(dirname(path));
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(fresh + suffix, { force: true });
  }
}

/** Gives a file its name, unless the name is taken. */
function publish(fresh: string, path: string): void {
  try {
    linkSync(fresh, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    if (!hasNoLinks(error)) throw error;
    copyOnce(fresh, path);
  }
}

function copyOnce(fresh: string, path: string): void {
  try {
    copyFileSync(fresh, path, constants.COPYFILE_EXCL);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
