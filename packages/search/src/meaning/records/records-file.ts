import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isSqliteDamage } from '@grove/core';
import { TEXTS_VERSION } from '../meaning-texts.ts';

const SCHEMA_VERSION = 1;
/** Of the file, and of the texts that its notes were cut into. */
export const VERSION = SCHEMA_VERSION * 1000 + TEXTS_VERSION;

// notes.state: 0 waits, 1 every text of it has its vector, 2 given up for now. notes.touched: milliseconds.
// chunks: the texts of a note as they were last made, in the order of the note.
const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE notes (
    id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL, touched INTEGER NOT NULL, state INTEGER NOT NULL
  );
  CREATE INDEX notes_that_wait ON notes (touched) WHERE state = 0;
  CREATE TABLE chunks (
    row INTEGER PRIMARY KEY, note INTEGER NOT NULL, position INTEGER NOT NULL, key TEXT NOT NULL,
    start INTEGER NOT NULL, end INTEGER NOT NULL, line INTEGER NOT NULL
  );
  CREATE INDEX chunks_by_note ON chunks (note, position);
  CREATE INDEX chunks_by_key ON chunks (key);
`;

/**
 * Opens the file of records, making it anew when it is not there, damaged or of another version: all in it is derived.
 *
 * @throws what SQLite says of a disk that is full or refuses
 */
export function openRecordsFile(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true });
  for (let attempt = 0; ; attempt += 1) {
    let database: DatabaseSync | null = null;
    try {
      database = new DatabaseSync(path);
      // Derived data: after a power loss it must be whole, not current.
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
      const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
      if (version === VERSION) return database;
      if (version === 0 && database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined) {
        database.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = ${VERSION}; COMMIT`);
        return database;
      }
      database.close();
    } catch (error) {
      database?.close();
      if (attempt > 0 || !isSqliteDamage(error)) throw error;
    }
    for (const suffix of ['', '-wal', '-shm', '-journal'])
      rmSync(path + suffix, { recursive: true, force: true });
  }
}
