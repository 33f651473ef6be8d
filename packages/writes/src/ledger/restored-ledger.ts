import { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '@grove/core';
import { ledgerFault } from './faults.ts';
import { Journal } from './journal.ts';
import { refuseForeign, refuseNewer } from './schema.ts';

/** What a write that was on its way made of a note. */
export interface UnfinishedText {
  /** Path of the note in the vault. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * Looks whether a file that nobody writes to could be this Grove's ledger: of its own version, or of an earlier one.
 *
 * @throws GroveError `ledger_unavailable`
 */
export function checkLedgerFile(path: string): void {
  withFile(path, true, (database) => {
    refuseForeign(database);
    refuseNewer(database);
  });
}

/** Tables of what is on its way, and of answers; earlier versions lack some of them. */
const OF_THEN = ['journal_files', 'journal', 'follow_ups', 'pull_files', 'pulls', 'answers'];

/** True when writes or a pull are on their way in a copy of a ledger. */
export function hasUnfinished(path: string): boolean {
  return withFile(path, true, (database) =>
    ['journal', 'pulls']
      .filter((table) => hasTable(database, table))
      .some((table) => database.prepare(`SELECT 1 FROM ${table}`).get() !== undefined),
  );
}

/**
 * Makes a ledger that comes from a backup fit for a vault that has gone on since: writes and pulls that were on their
 * way then are not done again, links are not mended behind moves of then, and an answer of then is given to no call of
 * now, for the vault may lack what it tells of.
 *
 * @returns the texts of those writes, so that nothing is lost; what was pulled is in git
 * @throws GroveError `ledger_unavailable`
 */
export function retireLedger(path: string): readonly UnfinishedText[] {
  return withFile(path, false, (database) => {
    const texts = new Journal(database)
      .rows()
      .flatMap(({ record }) => record.files)
      .flatMap(({ diskPath, after }) => (after === null ? [] : [{ path: diskPath, bytes: after }]));
    inTransaction(database, () => {
      for (const table of OF_THEN) if (hasTable(database, table)) database.exec(`DELETE FROM ${table}`);
    });
    return texts;
  });
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return (
    database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined
  );
}

function withFile<Result>(path: string, readOnly: boolean, work: (database: DatabaseSync) => Result): Result {
  try {
    const database = new DatabaseSync(path, { readOnly });
    try {
      database.exec('PRAGMA trusted_schema = OFF');
      return work(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw ledgerFault(error);
  }
}
