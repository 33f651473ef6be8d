import { Copy } from '../control-file/copy.ts';
import type { ControlStore } from '../control-file/store.ts';
import { sha256 } from '../credentials/secret.ts';
import { type GrantRow, readGrantRow } from './grant-row.ts';

/** All grants at one moment. */
export interface GrantRows {
  /** Newest first. */
  readonly all: readonly GrantRow[];
  readonly byId: ReadonlyMap<string, GrantRow>;
}

const SELECT = `SELECT grants.*, record.id_hash IS NOT NULL AS is_kept, record.expires_at AS grant_expires_at
  FROM grants LEFT JOIN oauth_records AS record ON record.model = 'Grant' AND record.id_hash = grants.id_hash
  ORDER BY sequence DESC`;
const INSERT = `INSERT INTO grants (id, id_hash, account, vault, trail, scopes, asked_to_write, client, client_name,
  redirect_host, resource, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const REVOKE = 'UPDATE grants SET revoked_at = ? WHERE id_hash = ? AND revoked_at IS NULL';
const USE = 'UPDATE grants SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?';
const REMOVE = 'DELETE FROM grants WHERE id = ?';
const REMOVE_OF_TRAIL = 'DELETE FROM grants WHERE trail = ?';
const END_RECORDS = `DELETE FROM oauth_records WHERE grant_id = ? OR (model = 'Grant' AND id_hash = ?)`;

/** The rows of the grants. All of it inside a read or a change of the store. */
export class GrantTable {
  readonly #store: ControlStore;
  readonly #copy: Copy<GrantRows>;

  constructor(store: ControlStore) {
    this.#store = store;
    this.#copy = new Copy(store, () => this.#load());
  }

  /** All grants, as they are committed now. */
  rows(): GrantRows {
    return this.#copy.now();
  }

  insert(row: Omit<GrantRow, 'isKept' | 'expiresAt' | 'lastUsedAt' | 'revokedAt'>): void {
    this.#store.statements.run(
      INSERT,
      row.id,
      sha256(row.id),
      row.account,
      row.vault,
      row.trail,
      JSON.stringify(row.scopes),
      row.askedToWrite ? 1 : 0,
      row.clientId,
      row.clientName,
      row.redirectHost,
      row.resource,
      row.createdAt,
    );
  }

  /** Marks a grant as ended. */
  revoke(id: string, time: number): void {
    this.revokeByHash(sha256(id), time);
  }

  revokeByHash(hash: string, time: number): void {
    this.#store.statements.run(REVOKE, time, hash);
  }

  /** Takes away the provider's Grant and every token of it. */
  endRecords(id: string): void {
    this.#store.statements.run(END_RECORDS, id, sha256(id));
  }

  noteUse(id: string, time: number): void {
    this.#store.statements.run(USE, time, id);
  }

  remove(id: string): void {
    this.#store.statements.run(REMOVE, id);
  }

  /** Takes away the grants that are bound to a trail, with the provider's records of them. */
  removeOfTrail(trail: string): void {
    for (const { id } of this.rows().all.filter((row) => row.trail === trail)) this.endRecords(id);
    this.#store.statements.run(REMOVE_OF_TRAIL, trail);
  }

  #load(): GrantRows {
    const all = this.#store.statements.of(SELECT).all().map(readGrantRow);
    return { all, byId: new Map(all.map((row) => [row.id, row])) };
  }
}
