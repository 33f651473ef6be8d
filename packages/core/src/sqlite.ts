import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

// Result codes of SQLite: https://www.sqlite.org/rescode.html

/** The primary result codes that Grove tells apart. */
export const SQLITE = {
  ERROR: 1,
  PERM: 3,
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  NOTADB: 26,
} as const;

/** Primary result code of an error of SQLite, the low byte of an extended one; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** True when SQLite says that the file is no sound database. */
export function isSqliteDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE.CORRUPT || code === SQLITE.NOTADB;
}

/**
 * Runs work in one transaction, at once the only one that writes; takes everything back when it throws.
 *
 * @throws what the work throws, and what SQLite says
 * @example inTransaction(database, () => database.exec('DELETE FROM keys'))
 */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk may have ended the transaction already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * The statements of one open database, each prepared once. Cleared before the database is closed.
 *
 * @example new Statements(database).of('SELECT * FROM keys').all()
 */
export class Statements {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** @throws what SQLite says of SQL that it cannot prepare */
  of(sql: string): StatementSync {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }

  /** Runs a statement that answers no rows. */
  run(sql: string, ...values: SQLInputValue[]): void {
    this.of(sql).run(...values);
  }

  clear(): void {
    this.#prepared.clear();
  }
}
