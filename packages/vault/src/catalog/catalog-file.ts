import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { randomId, sqliteCode } from '@grove/core';
import { CODEC_VERSION } from './row-codec.ts';

/** Version of the tables. Together with the codec's it decides whether a catalog found on disk is used. */
const SCHEMA_VERSION = 1;

const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE notes (id INTEGER PRIMARY KEY, path TEXT NOT NULL, sequence INTEGER NOT NULL, row TEXT NOT NULL);
  CREATE INDEX notes_by_sequence ON notes (sequence);
  -- What all notes are asked for comes before the long part, which may lie in pages of its own.
  CREATE TABLE details (id INTEGER PRIMARY KEY, edges TEXT NOT NULL, properties TEXT NOT NULL, details TEXT NOT NULL);
  CREATE TABLE removed (id INTEGER PRIMARY KEY, sequence INTEGER NOT NULL);
  CREATE INDEX removed_by_sequence ON removed (sequence);
  CREATE TABLE refused (path TEXT PRIMARY KEY, reason TEXT NOT NULL, stat TEXT NOT NULL) WITHOUT ROWID;
`;

/** An open catalog database and what it says of itself. */
export interface CatalogFile {
  readonly database: DatabaseSync;
  readonly catalogId: string;
  readonly readingKey: string;
}

/**
 * Opens the catalog at `path`; null when there is none of this version. Throws SQLite's error when the file
 * is damaged (`isSqliteDamage`).
 */
export function openCatalogFile(path: string): CatalogFile | null {
  if (!existsSync(path)) return null;
  const database = new DatabaseSync(path);
  try {
    const version = database.prepare('PRAGMA user_version').get()?.user_version;
    if (version !== versionNumber()) {
      database.close();
      return null;
    }
    const meta = new Map(
      database
        .prepare('SELECT key, value FROM meta')
        .all()
        .map((row) => [String(row.key), String(row.value)]),
    );
    configure(database);
    return { database, catalogId: meta.get('catalog_id') ?? '', readingKey: meta.get('reading_key') ?? '' };
  } catch (error) {
    if (database.isOpen) database.close();
    throw error;
  }
}

/**
 * True when a fresh look at `path` finds this catalog there. By SQLite, never by opening the file ourselves:
 * closing any descriptor of it would drop the locks of the open database
 * (https://www.sqlite.org/howtocorrupt.html, 2.2).
 */
export function isCatalogFile(path: string, catalogId: string): boolean {
  let probe: DatabaseSync | null = null;
  try {
    probe = new DatabaseSync(path, { readOnly: true });
    return probe.prepare("SELECT value FROM meta WHERE key = 'catalog_id'").get()?.value === catalogId;
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    return false;
  } finally {
    probe?.close();
  }
}

/** Makes an empty catalog at `path`, in the place of whatever is there. */
export function createCatalogFile(path: string, readingKey: string, catalogId = randomId()): CatalogFile {
  mkdirSync(dirname(path), { recursive: true });
  for (const suffix of ['', '-wal', '-shm', '-journal'])
    rmSync(path + suffix, { force: true, recursive: true });
  const database = new DatabaseSync(path);
  configure(database);
  database.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = ${versionNumber()}`);
  const write = database.prepare('INSERT INTO meta VALUES (?, ?)');
  write.run('catalog_id', catalogId);
  write.run('reading_key', readingKey);
  database.exec('COMMIT');
  return { database, catalogId, readingKey };
}

function configure(database: DatabaseSync): void {
  // The catalog is derived: after a power loss an older state, or none, is sound. Checkpoints are made aside
  // (checkpoint.ts); at 64 MB SQLite makes its own within a commit, which empties a log that is written to
  // without pause.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 16000');
}

function versionNumber(): number {
  return SCHEMA_VERSION * 1000 + CODEC_VERSION;
}
