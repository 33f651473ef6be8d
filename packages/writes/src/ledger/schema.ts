import type { DatabaseSync } from 'node:sqlite';

/** Tells a ledger from every other SQLite file: "GrvL" (https://www.sqlite.org/pragma.html#pragma_application_id). */
export const APPLICATION_ID = 0x4772764c;
/** Version of the tables, in `PRAGMA user_version`. */
export const VERSION = 1;

/** Work that a write left for after it; `id` is that of the write in the journal. */
const FOLLOW_UPS = `
CREATE TABLE IF NOT EXISTS follow_ups (
  id INTEGER PRIMARY KEY,
  task TEXT NOT NULL
) STRICT;
`;

const TABLES = `
CREATE TABLE notes (
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
${FOLLOW_UPS}
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${VERSION};
`;

/** Makes the tables in an empty database. */
export function createTables(database: DatabaseSync): void {
  database.exec(`BEGIN IMMEDIATE; ${TABLES} COMMIT`);
}

/** Adds what a ledger of an earlier Grove has not. */
export function addTables(database: DatabaseSync): void {
  database.exec(FOLLOW_UPS);
}
