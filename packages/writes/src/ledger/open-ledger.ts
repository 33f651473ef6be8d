import { closeSync, existsSync, lstatSync, openSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode, SQLITE, syncFolderNow } from '@grove/core';
import { isDamage, ledgerFault, unavailable } from './faults.ts';
import { Journal } from './journal.ts';
import type { JournalRow } from './journal-row.ts';
import { Ledger } from './ledger.ts';
import { APPLICATION_ID, addTables, createTables, VERSION } from './schema.ts';

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
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    const tables = Number(database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.count);
    if (version === 0 && tables === 0) createTables(database);
    else check(database, version);
    if (isNew) syncFolderNow(dirname(path));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function check(database: DatabaseSync, version: number): void {
  const id = database.prepare('PRAGMA application_id').get()?.application_id;
  if (id !== APPLICATION_ID) throw new Damage('it is the database of another program');
  if (version > VERSION) throw unavailable('it was written by a newer Grove');
  if (database.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok') {
    throw new Damage('its pages contradict each other');
  }
  addTables(database);
  // Prepares every statement: a table or column that is missing shows here.
  new Ledger(database);
}

/** Damage that SQLite itself does not call so; it carries SQLite's code for it. */
class Damage extends Error {
  readonly errcode = SQLITE.CORRUPT;
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
