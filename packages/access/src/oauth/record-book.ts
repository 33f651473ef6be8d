import type { Clock } from '@grove/core';
import type { ControlStore } from '../control-file/store.ts';
import { sha256 } from '../credentials/secret.ts';
import type { GrantTable } from '../grants/grant-table.ts';
import type { OAuthPayload, OAuthRecords } from './oauth-records.ts';
import type { OAuthRecord, RecordTable } from './record-table.ts';

/** What the OAuth records of one open control.db stand on. */
export interface RecordBookParts {
  readonly store: ControlStore;
  readonly records: RecordTable;
  readonly grants: GrantTable;
  readonly clock: Clock;
}

/** How many records one change takes away. */
const PRUNED_AT_ONCE = 1_000;

/** The OAuth records of one open control.db. */
export class RecordBook implements OAuthRecords {
  readonly #parts: RecordBookParts;

  constructor(parts: RecordBookParts) {
    this.#parts = parts;
  }

  upsert(model: string, id: string, payload: OAuthPayload, expiresInSeconds: number | undefined): void {
    const { jti: _jti, consumed: _consumed, ...kept } = payload;
    const expiresAt =
      expiresInSeconds === undefined ? null : this.#parts.clock.now() + Math.round(expiresInSeconds * 1_000);
    this.#parts.store.change(() =>
      this.#parts.records.upsert({ model, hash: sha256(id), payload: kept, expiresAt }),
    );
  }

  find(model: string, id: string): OAuthPayload | undefined {
    const { store, records, clock } = this.#parts;
    const record = store.read(() => records.find(model, sha256(id), clock.now()));
    return record === undefined ? undefined : { ...payloadOf(record), jti: id };
  }

  findByUid(model: string, uid: string): OAuthPayload | undefined {
    const { store, records, clock } = this.#parts;
    const record = store.read(() => records.findByUid(model, uid, clock.now()));
    return record === undefined ? undefined : payloadOf(record);
  }

  consume(model: string, id: string): boolean {
    const { store, records, clock } = this.#parts;
    return store.change(() => records.consume(model, sha256(id), clock.now()));
  }

  destroy(model: string, id: string): void {
    const { store, records, grants, clock } = this.#parts;
    const hash = sha256(id);
    store.change(() => {
      if (model === 'Grant') grants.revokeByHash(hash, clock.now());
      records.destroy(model, hash);
    });
  }

  revokeByGrantId(grantId: string): void {
    this.#parts.store.change(() => this.#parts.records.revokeByGrantId(grantId));
  }

  prune(): number {
    const { store, records, clock } = this.#parts;
    return store.change(() => records.prune(clock.now(), PRUNED_AT_ONCE));
  }
}

function payloadOf({ payload, consumedAt }: OAuthRecord): OAuthPayload {
  return consumedAt === null ? payload : { ...payload, consumed: Math.floor(consumedAt / 1_000) };
}
