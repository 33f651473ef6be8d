import { inTransaction, Statements } from '@grove/core';
import { type ControlFile, READ_PATIENCE_MS } from '../control-file/control-file.ts';
import { guarded } from '../control-file/faults.ts';
import { refuseNewer } from '../control-file/migrations.ts';
import { credentialOf, type KeyRow, readKeyRow } from './key-row.ts';

/** All keys at one moment. */
export interface KeyRows {
  /** Newest first. */
  readonly all: readonly KeyRow[];
  readonly byId: ReadonlyMap<string, KeyRow>;
  readonly byHash: ReadonlyMap<string, KeyRow>;
  readonly byCredential: ReadonlyMap<string, KeyRow>;
}

const INSERT = `INSERT INTO keys (id, vault, name, scopes, read_paths, write_paths, deny_paths, token_hash, ending,
  generation, created_at, expires_at, last_used_at, revoked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const REVOKE = 'UPDATE keys SET revoked_at = ? WHERE id = ?';
const ROTATE = 'UPDATE keys SET token_hash = ?, ending = ?, generation = ? WHERE id = ?';
const USE = 'UPDATE keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?';
const REMOVE = 'DELETE FROM keys WHERE id = ?';

/** The keys on disk, with a copy in memory that is dropped as soon as anyone commits. */
export class KeyTable {
  readonly #file: ControlFile;
  readonly #statements: Statements;
  #rows: KeyRows | null = null;
  #version: unknown;

  constructor(file: ControlFile) {
    this.#file = file;
    this.#statements = new Statements(file.database);
  }

  /** All keys, as they are committed now. */
  rows(): KeyRows {
    return guarded(() => {
      this.#file.requireSound();
      return this.#current();
    });
  }

  /**
   * One change, in a transaction that sees all that others committed before. It is on disk when this returns; an
   * error of `work` leaves everything as it was.
   */
  change<T>(work: (rows: KeyRows) => T): T {
    return guarded(() => {
      this.#file.requireSound();
      const { database, changePatienceMs } = this.#file;
      database.exec(`PRAGMA busy_timeout = ${changePatienceMs}`);
      try {
        return this.#transaction(() => work(this.#current()));
      } finally {
        database.exec(`PRAGMA busy_timeout = ${READ_PATIENCE_MS}`);
      }
    });
  }

  /** Writes times of last use by id. It does not wait for the disk: a power loss may cost them. */
  writeUses(uses: ReadonlyMap<string, number>): void {
    guarded(() => {
      this.#file.requireSound();
      const { database } = this.#file;
      database.exec('PRAGMA synchronous = NORMAL');
      try {
        this.#transaction(() => {
          for (const [id, time] of uses) this.#statements.run(USE, time, id);
        });
      } finally {
        database.exec('PRAGMA synchronous = FULL');
      }
    });
  }

  /** Inside {@link change}. */
  insert(row: KeyRow): void {
    const lists = [row.scopes, row.readPaths, row.writePaths, row.denyPaths].map((list) =>
      JSON.stringify(list),
    );
    const times = [row.createdAt, row.expiresAt, row.lastUsedAt, row.revokedAt];
    this.#statements.run(
      INSERT,
      row.id,
      row.vault,
      row.name,
      ...lists,
      row.tokenHash,
      row.ending,
      row.generation,
      ...times,
    );
  }

  /** Inside {@link change}. */
  revoke(id: string, time: number): void {
    this.#statements.run(REVOKE, time, id);
  }

  /** Inside {@link change}. */
  replaceToken({ id, tokenHash, ending, generation }: KeyRow): void {
    this.#statements.run(ROTATE, tokenHash, ending, generation, id);
  }

  /** Inside {@link change}. */
  remove(id: string): void {
    this.#statements.run(REMOVE, id);
  }

  close(): void {
    this.#statements.clear();
    this.#rows = null;
    guarded(() => this.#file.close());
  }

  #transaction<T>(work: () => T): T {
    try {
      return inTransaction(this.#file.database, work);
    } finally {
      this.#rows = null;
    }
  }

  #current(): KeyRows {
    // It moves when another connection commits (https://www.sqlite.org/pragma.html#pragma_data_version); what this
    // one commits drops the copy itself. Read before the rows: a commit in between shows at the next call.
    const version = this.#statements.of('PRAGMA data_version').get()?.data_version;
    if (this.#rows !== null && this.#version === version) return this.#rows;
    refuseNewer(this.#file.database);
    const all = this.#statements.of('SELECT * FROM keys ORDER BY sequence DESC').all().map(readKeyRow);
    this.#rows = {
      all,
      byId: new Map(all.map((row) => [row.id, row])),
      byHash: new Map(all.map((row) => [row.tokenHash, row])),
      byCredential: new Map(all.map((row) => [credentialOf(row), row])),
    };
    this.#version = version;
    return this.#rows;
  }
}
