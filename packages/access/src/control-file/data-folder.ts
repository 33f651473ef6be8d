import { accessSync, chmodSync, constants, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, syncFolderNow } from '@grove/core';
import { damaged } from './faults.ts';

/** SQLite's own files beside a database. */
const SUFFIXES = ['-wal', '-shm', '-journal'] as const;

/** Makes the data folder (0700) where it is missing; one that is there keeps its mode. */
export function makeDataFolder(dataDir: string): void {
  const first = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  if (first === undefined) return;
  // A new folder survives a power loss once the folder above it has been synced.
  for (let folder = dataDir; folder.length >= first.length; folder = dirname(folder))
    syncFolderNow(dirname(folder));
}

/**
 * Looks at what is in the place of the database at `path` and takes away the rights of others to it.
 *
 * @returns false when nothing is there
 * @throws GroveError `control_damaged` when it is no file, or when only the log of it is left
 */
export function securePlace(path: string): boolean {
  const found = statOf(path);
  const beside = SUFFIXES.map((suffix) => ({ suffix, stat: statOf(path + suffix) }));
  for (const { suffix, stat } of [{ suffix: '', stat: found }, ...beside]) {
    if (stat !== null) requireFile(path + suffix, suffix, stat);
  }
  if (found === null) {
    // SQLite would play a log that was left over into the new database.
    if (beside.some(({ suffix, stat }) => suffix !== '-shm' && stat !== null && stat.size > 0))
      throw damaged('it is missing, while the log beside it (control.db-wal) is there');
    return false;
  }
  if (found.size === 0) throw damaged('it is empty');
  accessSync(path, constants.R_OK | constants.W_OK);
  return true;
}

function statOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

function requireFile(path: string, suffix: string, stat: Stats): void {
  const name = suffix === '' ? 'it' : `control.db${suffix}`;
  if (stat.isSymbolicLink()) throw damaged(`${name} is a symbolic link, which is not followed`);
  if (!stat.isFile()) throw damaged(`${name} is not a file`);
  if ((stat.mode & 0o077) === 0) return;
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    // Disks without modes of their own (FAT, network shares) refuse; whoever mounted them decided who may read.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(errorCode(error) ?? '')) throw error;
  }
}
