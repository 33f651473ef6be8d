import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { inTransaction, isSqliteDamage, SQLITE, Statements, sqliteCode } from '@grove/core';
import type { StoredVector, VectorStore } from '@grove/search';
import { VectorsDamaged } from './damage.ts';

const VERSION = 1;
/** Vectors read in one turn of the event loop. */
const PART = 1_000;

/**
 * Vectors in one SQLite file, for machines on which LanceDB does not run. Numbers are little-endian floats of 32 bits.
 *
 * @throws VectorsDamaged when the file is no such store or of other dimensions
 * @example
 * const store = await openSqliteStore(join(dir, 'store'), 384);
 * await store.put([{ key: 'k', vector }]);
 */
export async function openSqliteStore(dir: string, dimensions: number): Promise<VectorStore> {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, 'vectors.db');
  return guarded(() => new SqliteStore(path, openDatabase(path, dimensions), dimensions));
}

class SqliteStore implements VectorStore {
  readonly kind = 'sqlite';
  readonly #path: string;
  readonly #inode: bigint | null;
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  readonly #dimensions: number;

  constructor(path: string, database: DatabaseSync, dimensions: number) {
    this.#path = path;
    this.#inode = inodeOf(path);
    this.#database = database;
    this.#statements = new Statements(database);
    this.#dimensions = dimensions;
  }

  async *read(): AsyncIterable<readonly StoredVector[]> {
    for (let after = ''; ; ) {
      const part = guarded(() =>
        this.#statements.of('SELECT * FROM vectors WHERE key > ? ORDER BY key LIMIT ?').all(after, PART),
      ).map((row) => this.#stored(row));
      const last = part.at(-1);
      if (last === undefined) return;
      yield part;
      after = last.key;
      await setImmediate();
    }
  }

  async get(keys: readonly string[]): Promise<readonly StoredVector[]> {
    return guarded(() =>
      [...new Set(keys)].flatMap((key) => {
        const row = this.#statements.of('SELECT * FROM vectors WHERE key = ?').get(key);
        return row === undefined ? [] : [this.#stored(row)];
      }),
    );
  }

  async put(vectors: readonly StoredVector[]): Promise<void> {
    this.#transaction(() => {
      for (const { key, vector } of vectors) {
        if (vector.length !== this.#dimensions) throw new TypeError('a vector of other dimensions');
        const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
        this.#statements.run('INSERT OR REPLACE INTO vectors VALUES (?, ?)', key, bytes);
      }
    });
  }

  async remove(keys: readonly string[]): Promise<void> {
    this.#transaction(() => {
      for (const key of keys) this.#statements.run('DELETE FROM vectors WHERE key = ?', key);
    });
  }

  async compact(): Promise<void> {
    guarded(() => this.#database.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)'));
  }

  async close(): Promise<void> {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #stored({ key, vector }: Record<string, unknown>): StoredVector {
    // A copy of its own: SQLite's bytes need not begin where a float may.
    const bytes = Uint8Array.from(vector as Uint8Array);
    if (bytes.byteLength !== this.#dimensions * 4) throw new VectorsDamaged('a vector of other dimensions');
    return { key: String(key), vector: new Float32Array(bytes.buffer) };
  }

  #transaction(work: () => void): void {
    // SQLite would go on in a file that has no name any more.
    if (inodeOf(this.#path) !== this.#inode) throw new VectorsDamaged('the file is gone');
    guarded(() => inTransaction(this.#database, work));
  }
}

function openDatabase(path: string, dimensions: number): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
    if (version === 0 && isEmpty) {
      database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL');
      database.exec(`BEGIN;
        CREATE TABLE store (dimensions INTEGER NOT NULL);
        INSERT INTO store VALUES (${dimensions});
        CREATE TABLE vectors (key TEXT PRIMARY KEY, vector BLOB NOT NULL);
        PRAGMA user_version = ${VERSION};
        COMMIT`);
    } else if (version !== VERSION) throw new VectorsDamaged('a file of another version');
    // What is noted down elsewhere as done must outlast a power loss.
    database.exec('PRAGMA synchronous = FULL');
    if (database.prepare('SELECT dimensions FROM store').get()?.dimensions !== dimensions)
      throw new VectorsDamaged('vectors of other dimensions');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function inodeOf(path: string): bigint | null {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}

function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    // A table that is missing is SQLite's plain error; so is a file that was deleted under an open database.
    const isGone = sqliteCode(error) === SQLITE.ERROR || sqliteCode(error) === SQLITE.CANTOPEN;
    if (isSqliteDamage(error) || isGone) throw new VectorsDamaged(error);
    throw error;
  }
}
