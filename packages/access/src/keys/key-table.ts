import { Copy } from '../control-file/copy.ts';
import type { ControlStore } from '../control-file/store.ts';
import { type KeyRow, readKeyRow, writtenScopes } from './key-row.ts';

/** All keys at one moment, tokens of trails included. */
export interface KeyRows {
  /** Newest first. */
  readonly all: readonly KeyRow[];
  readonly byId: ReadonlyMap<string, KeyRow>;
  readonly byHash: ReadonlyMap<string, KeyRow>;
}

const INSERT = `INSERT INTO keys (id, vault, name, scopes, read_paths, write_paths, deny_paths, token_hash, ending,
  generation, created_at, expires_at, last_used_at, revoked_at, trail)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const REVOKE = 'UPDATE keys SET revoked_at = ? WHERE id = ?';
const ROTATE = 'UPDATE keys SET token_hash = ?, ending = ?, generation = ? WHERE id = ?';
const USE = 'UPDATE keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?';
const REMOVE = 'DELETE FROM keys WHERE id = ?';
const REMOVE_OF_TRAIL = 'DELETE FROM keys WHERE trail = ?';

/** The rows of the keys. All of it inside a read or a change of the store. */
export class KeyTable {
  readonly #store: ControlStore;
  readonly #copy: Copy<KeyRows>;

  constructor(store: ControlStore) {
    this.#store = store;
    this.#copy = new Copy(store, () => this.#load());
  }

  /** All keys, as they are committed now. */
  rows(): KeyRows {
    return this.#copy.now();
  }

  insert(row: KeyRow): void {
    const lists = [writtenScopes(row), row.readPaths, row.writePaths, row.denyPaths];
    this.#store.statements.run(
      INSERT,
      row.id,
      row.vault,
      row.name,
      ...lists.map((list) => JSON.stringify(list)),
      row.tokenHash,
      row.ending,
      row.generation,
      row.createdAt,
      row.expiresAt,
      row.lastUsedAt,
      row.revokedAt,
      row.trail,
    );
  }

  revoke(id: string, time: number): void {
    this.#store.statements.run(REVOKE, time, id);
  }

  replaceToken({ id, tokenHash, ending, generation }: KeyRow): void {
    this.#store.statements.run(ROTATE, tokenHash, ending, generation, id);
  }

  noteUse(id: string, time: number): void {
    this.#store.statements.run(USE, time, id);
  }

  remove(id: string): void {
    this.#store.statements.run(REMOVE, id);
  }

  removeOfTrail(trail: string): void {
    this.#store.statements.run(REMOVE_OF_TRAIL, trail);
  }

  #load(): KeyRows {
    const all = this.#store.statements.of('SELECT * FROM keys ORDER BY sequence DESC').all().map(readKeyRow);
    return {
      all,
      byId: new Map(all.map((row) => [row.id, row])),
      byHash: new Map(all.map((row) => [row.tokenHash, row])),
    };
  }
}
