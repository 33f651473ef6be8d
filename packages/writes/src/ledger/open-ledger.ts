import { closeSync, existsSync, lstatSync, openSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode, keepCopy, syncFolderNow } from '@grove/core';
import { Damage, isDamage, ledgerFault, unavailable } from './faults.ts';
import { Journal } from './journal.ts';
import type { JournalRow } from './journal-row.ts';
import { Ledger } from './ledger.ts';
import { migrate, refuseForeign, refuseNewer, STEPS, versionOf } from './schema.ts';

/** How long opening waits for another process, in milliseconds. */
const PATIENCE_MS = 5_000;
const SUFFIXES = ['', '-wal', '-shm', '-journal'] as const;

export interface OpenedLedger {
  readonly ledger: Ledger;
  /** Why it was made anew, or null. `damaged` is told to the owner; `missing` is also the first start. */
  readonly anew: 'missing' | 'damaged' | null;
}

/**
 * Opens `<stateDir>/ledger.db`, making it (mode 0600) on first use. A damaged file is put aside beside it, and
 * what its journal still tells is taken over: acknowledged writes that were not yet synced.
 *
 * @throws GroveError `ledger_unavailable` when another process holds it, it cannot be written, or a newer Grove
 * made it
 */
export function openLedger(stateDir: string, now: number): OpenedLedger {
  try {
    return openOrReplace(join(stateDir, 'ledger.db'), now);
  } catch (error) {
    throw systemFault(error);
  }
}

function openOrReplace(path: string, now: number): OpenedLedger {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) throw unavailable('it is not a file');
  // A first start that was cut off leaves it empty.
  const anew = found === undefined || found.size === 0 ? 'missing' : null;
  try {
    return { ledger: new Ledger(openDatabase(path)), anew };
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const rows = salvageJournal(path);
  putAside(path, now);
  const ledger = new Ledger(openDatabase(path));
  for (const { record, acknowledged } of rows) {
    const id = ledger.begin(record);
    if (acknowledged) ledger.acknowledge(id, record, { at: now, notes: [], bases: [], answer: null });
  }
  return { ledger, anew: 'damaged' };
}

function openDatabase(path: string): DatabaseSync {
  const isNew = !existsSync(path);
  // SQLite gives the files beside it the mode of the database.
  if (isNew) closeSync(openSync(path, 'wx', 0o600));
  const database = new DatabaseSync(path, { timeout: PATIENCE_MS, enableForeignKeyConstraints: true });
  try {
    // The journal is what an answer stands on, so each commit is synced. A file from elsewhere may bring
    // triggers and views: they get no functions. Checkpoints are made beside the writes.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF');
    database.exec('PRAGMA wal_autocheckpoint = 0');
    const tables = Number(database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.count);
    if (versionOf(database) > 0 || tables > 0) bringForward(database, path);
    else migrate(database);
    if (isNew) syncFolderNow(dirname(path));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Checks a ledger that was there, and brings its tables to those of now; as it was, it is kept beside. */
function bringForward(database: DatabaseSync, path: string): void {
  refuseForeign(database);
  refuseNewer(database);
  if (database.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok') {
    throw new Damage('its pages contradict each other');
  }
  const version = versionOf(database);
  if (version < STEPS.length) keepCopy(database, path, version);
  migrate(database);
  // Prepares every statement: a table or column that is missing shows here.
  new Ledger(database);
}

function salvageJournal(path: string): readonly JournalRow[] {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    return new Journal(database).rows();
  } catch (error) {
    if (isDamage(error) || error instanceof SyntaxError) return [];
    throw error;
  } finally {
    database?.close();
  }
}

function putAside(path: string, now: number): void {
  const mark = new Date(now).toISOString().replaceAll(/[:.]/g, '-');
  for (const suffix of SUFFIXES) {
    if (existsSync(path + suffix)) renameSync(path + suffix, `${path}.damaged-${mark}${suffix}`);
  }
}

function systemFault(error: unknown): unknown {
  const code = errorCode(error) ?? '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return unavailable('the disk is full', error);
  if (code === 'EROFS') return unavailable('its disk is read-only', error);
  if (code === 'EACCES' || code === 'EPERM') return unavailable('this user may not write there', error);
  return ledgerFault(error);
}
