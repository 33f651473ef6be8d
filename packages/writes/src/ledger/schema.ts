import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '@grove/core';
import { Damage, unavailable } from './faults.ts';

/** Tells a ledger from every other SQLite file: "GrvL" (https://www.sqlite.org/pragma.html#pragma_application_id). */
export const APPLICATION_ID = 0x4772764c;
/**
 * The steps of the tables, oldest first. The version of a ledger (`PRAGMA user_version`) is the number of steps that it has
 * taken; a step that was released is never changed.
 */
export const STEPS: readonly string[] = [
  `CREATE TABLE notes (
  path TEXT PRIMARY KEY,
  source_hash TEXT NOT NULL,
  disk_hash TEXT NOT NULL,
  blob TEXT NOT NULL,
  commit_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE bases (
  path TEXT NOT NULL,
  hash TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  blob TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (path, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX bases_by_age ON bases (at);
CREATE TABLE answers (
  principal TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  PRIMARY KEY (principal, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX answers_by_age ON answers (at);
CREATE TABLE journal (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  acknowledged INTEGER NOT NULL,
  record TEXT NOT NULL
) STRICT;
CREATE TABLE journal_files (
  journal INTEGER NOT NULL REFERENCES journal (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  before BLOB,
  after BLOB,
  stored_before BLOB,
  stored_after BLOB,
  PRIMARY KEY (journal, position)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = ${APPLICATION_ID}`,
  // Work that a write left for after it; the id is that of the write in the journal. Some ledgers of one step have it.
  'CREATE TABLE IF NOT EXISTS follow_ups (id INTEGER PRIMARY KEY, task TEXT NOT NULL) STRICT',
  // The pull that is on its way, and its files.
  `CREATE TABLE pulls (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  state TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;
CREATE TABLE pull_files (
  pull INTEGER NOT NULL REFERENCES pulls (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  file TEXT NOT NULL,
  PRIMARY KEY (pull, position)
) STRICT, WITHOUT ROWID`,
];

/** How many steps a ledger has taken. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** Takes the steps that a ledger lacks, each in a transaction of its own with its number. */
export function migrate(database: DatabaseSync, steps: readonly string[] = STEPS): void {
  for (let version = versionOf(database); version < steps.length; version += 1) {
    inTransaction(database, () => database.exec(`${steps[version]}; PRAGMA user_version = ${version + 1}`));
  }
}

/** @throws GroveError `ledger_unavailable` for a ledger that has taken more steps than `known` */
export function refuseNewer(database: DatabaseSync, known: number = STEPS.length): void {
  if (versionOf(database) <= known) return;
  throw unavailable(
    'it was written by a newer Grove; update this one, or put back the copy from before the update that lies beside it (ledger.db.version-N)',
  );
}

/** Throws as damage what is no ledger of any version. */
export function refuseForeign(database: DatabaseSync): void {
  const id = database.prepare('PRAGMA application_id').get()?.application_id;
  if (id !== APPLICATION_ID) throw new Damage('it is the database of another program');
}
