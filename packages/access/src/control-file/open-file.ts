import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { keepCopy } from '@grove/core';
import { ControlFile, READ_PATIENCE_MS } from './control-file.ts';
import { createControlFile } from './create-file.ts';
import { makeDataFolder, securePlace } from './data-folder.ts';
import { guarded } from './faults.ts';
import { checkTables, MIGRATIONS, migrate, refuseForeign, refuseNewer, versionOf } from './migrations.ts';

/** How long opening waits for another process, and changes do unless they are told otherwise. */
const PATIENCE_MS = 5_000;

/**
 * Opens `<dataDir>/control.db`, making both on first use. One of an earlier Grove is kept beside it before its tables
 * are changed. Throws as `openControl` does.
 */
export function openControlFile(dataDir: string, changePatienceMs = PATIENCE_MS): ControlFile {
  return guarded(() => {
    makeDataFolder(dataDir);
    const path = join(dataDir, 'control.db');
    if (!securePlace(path)) createControlFile(path);
    const database = new DatabaseSync(path, {
      timeout: PATIENCE_MS,
      enableForeignKeyConstraints: true,
    });
    try {
      // Before anything is written: the file of another program, or of a newer Grove, stays as it is.
      refuseForeign(database);
      refuseNewer(database);
      const version = versionOf(database);
      if (version < MIGRATIONS.length) keepCopy(database, path, version);
      migrate(database);
      checkTables(database);
      // A token that was shown must be good after a power loss, so each commit is synced. A file from elsewhere
      // may bring triggers and views: they get no functions.
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF');
      database.exec(`PRAGMA busy_timeout = ${READ_PATIENCE_MS}`);
      return new ControlFile(database, path, changePatienceMs);
    } catch (error) {
      database.close();
      throw error;
    }
  });
}
