import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isSqliteDamage } from '@grove/core';

const VERSION = 2;

// commits.tree: the tree of the vault's folder. changes.time: null where it is the commit's. changes.source: the
// former path of a renamed note, with what it brought in the columns behind. paths.head: the blob at HEAD; the other columns are the fold of the path's changes,
// to be made anew where alive is 2.
const SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE commits (
  seq INTEGER PRIMARY KEY, oid BLOB NOT NULL UNIQUE, parents BLOB NOT NULL, tree BLOB,
  author TEXT NOT NULL, email TEXT NOT NULL, time INTEGER NOT NULL, origin TEXT NOT NULL
);
CREATE TABLE paths (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE,
  created INTEGER, modified INTEGER, found INTEGER NOT NULL DEFAULT 0,
  alive INTEGER NOT NULL DEFAULT 0, blob BLOB, head BLOB
);
CREATE TABLE changes (
  path INTEGER NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, blob BLOB NOT NULL, time INTEGER,
  source INTEGER, created INTEGER, modified INTEGER, found INTEGER, PRIMARY KEY (path, seq)
) WITHOUT ROWID;
CREATE INDEX changes_by_commit ON changes (seq);
CREATE INDEX stale_paths ON paths (id) WHERE alive = 2;
`;

/**
 * Opens the file of the derived history, making it anew when it is not there, of another version, of another
 * folder of the repository, or not a database. `rebuilt` says why, or null when it was taken over.
 */
export function openDatabase(
  file: string,
  prefix: string,
): { readonly db: DatabaseSync; readonly rebuilt: string | null } {
  mkdirSync(dirname(file), { recursive: true });
  let rebuilt: string | null = null;
  for (;;) {
    let db: DatabaseSync | null = null;
    try {
      db = new DatabaseSync(file);
      // Derived data: after power loss it must be whole, not current.
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
      const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
      if (version === 0 && db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined) {
        db.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = ${VERSION};`);
        db.prepare("INSERT INTO meta VALUES ('prefix', ?)").run(prefix);
        db.exec('COMMIT');
        return { db, rebuilt };
      }
      if (version !== VERSION) rebuilt = 'it was made by another version';
      else if (db.prepare("SELECT value FROM meta WHERE key = 'prefix'").get()?.value !== prefix) {
        rebuilt = 'the vault is another folder of the repository now';
      } else return { db, rebuilt };
    } catch (error) {
      if (!isSqliteDamage(error) || rebuilt !== null) {
        db?.close();
        throw error;
      }
      rebuilt = 'it was damaged';
    }
    db?.close();
    removeDatabase(file);
  }
}

/** Removes the file with its log; the next open makes it anew. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}
