import type { SQLOutputValue } from 'node:sqlite';
import { CellReader } from '../control-file/cells.ts';
import type { ControlStore } from '../control-file/store.ts';
import type { OAuthPayload } from './oauth-records.ts';

/** One record, by the hash of its id. */
export interface OAuthRecord {
  readonly payload: OAuthPayload;
  /** Milliseconds since the epoch. */
  readonly consumedAt: number | null;
}

/** One record to be kept. */
export interface OAuthEntry {
  readonly model: string;
  readonly hash: string;
  readonly payload: OAuthPayload;
  readonly expiresAt: number | null;
}

const UPSERT = `INSERT INTO oauth_records (model, id_hash, payload, grant_id, uid, expires_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
  expires_at = excluded.expires_at`;
const LIVE = '(expires_at IS NULL OR expires_at > ?)';
const FIND = `SELECT payload, consumed_at FROM oauth_records WHERE model = ? AND id_hash = ? AND ${LIVE}`;
const FIND_BY_UID = `SELECT payload, consumed_at FROM oauth_records WHERE model = ? AND uid = ? AND ${LIVE}
  ORDER BY expires_at DESC LIMIT 1`;
const CONSUME =
  'UPDATE oauth_records SET consumed_at = ? WHERE model = ? AND id_hash = ? AND consumed_at IS NULL';
const DESTROY = 'DELETE FROM oauth_records WHERE model = ? AND id_hash = ?';
const REVOKE = 'DELETE FROM oauth_records WHERE grant_id = ?';
const PRUNE = `DELETE FROM oauth_records WHERE (model, id_hash) IN
  (SELECT model, id_hash FROM oauth_records WHERE expires_at <= ? LIMIT ?)`;

const cell = new CellReader('OAuth records');

/** The rows of the OAuth records. All of it inside a read or a change of the store. */
export class RecordTable {
  readonly #store: ControlStore;

  constructor(store: ControlStore) {
    this.#store = store;
  }

  upsert({ model, hash, payload, expiresAt }: OAuthEntry): void {
    const { grantId, uid } = payload;
    this.#store.statements.run(
      UPSERT,
      model,
      hash,
      JSON.stringify(payload),
      typeof grantId === 'string' ? grantId : null,
      typeof uid === 'string' ? uid : null,
      expiresAt,
    );
  }

  find(model: string, hash: string, now: number): OAuthRecord | undefined {
    return recordOf(this.#store.statements.of(FIND).get(model, hash, now));
  }

  findByUid(model: string, uid: string, now: number): OAuthRecord | undefined {
    return recordOf(this.#store.statements.of(FIND_BY_UID).get(model, uid, now));
  }

  /** True when it was not consumed before. */
  consume(model: string, hash: string, now: number): boolean {
    return Number(this.#store.statements.of(CONSUME).run(now, model, hash).changes) > 0;
  }

  destroy(model: string, hash: string): void {
    this.#store.statements.run(DESTROY, model, hash);
  }

  revokeByGrantId(grantId: string): void {
    this.#store.statements.run(REVOKE, grantId);
  }

  /** Takes away up to `most` of what ended by `now`; the number that went. */
  prune(now: number, most: number): number {
    return Number(this.#store.statements.of(PRUNE).run(now, most).changes);
  }
}

function recordOf(cells: Readonly<Record<string, SQLOutputValue>> | undefined): OAuthRecord | undefined {
  if (cells === undefined) return undefined;
  const payload = cell.json(cells.payload);
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) throw cell.unreadable();
  return { payload: payload as OAuthPayload, consumedAt: cell.numberOrNull(cells.consumed_at) };
}
