import type { Clock } from '@grove/core';
import type { ControlStore } from '../control-file/store.ts';
import { type GrantRow, stateOfGrant } from '../grants/grant-row.ts';
import type { GrantTable } from '../grants/grant-table.ts';
import { type KeyRow, stateOf } from '../keys/key-row.ts';
import type { KeyTable } from '../keys/key-table.ts';
import type { OAuthPayload } from '../oauth/oauth-records.ts';
import type { RecordTable } from '../oauth/record-table.ts';
import { trailFacts } from '../trails/trail-book.ts';
import { scopesOfTrail, stateOfTrail, type TrailRow } from '../trails/trail-row.ts';
import type { TrailTable } from '../trails/trail-table.ts';
import { grants as allows, type KeyScope } from '../wishes/scopes.ts';
import type { Credentials, Verified } from './credentials.ts';
import { EndedCredentials } from './ended-credentials.ts';
import type { LastUses } from './last-uses.ts';
import { hashOfSecret, sha256 } from './secret.ts';

/** What tokens are checked against. */
export interface TokenCheckParts {
  readonly store: ControlStore;
  readonly keys: KeyTable;
  readonly trails: TrailTable;
  readonly grants: GrantTable;
  readonly records: RecordTable;
  readonly uses: LastUses;
  readonly clock: Clock;
  /** The address that access tokens must be for; null where none is taken. */
  readonly resource: string | null;
}

/** What an access token can carry: no scope of a vault, reading, or writing too. */
const TOKEN_SCOPES: readonly (readonly KeyScope[])[] = [[], ['read'], ['read', 'write']];
/** Longer than any token that the provider makes. */
const LONGEST_TOKEN = 256;
const NO_PATHS: readonly string[] = Object.freeze([]);

/** Checks tokens of every kind against one open control.db. */
export class TokenCheck implements Credentials {
  readonly #parts: TokenCheckParts;
  readonly #ended: EndedCredentials;

  constructor(parts: TokenCheckParts) {
    this.#parts = parts;
    this.#ended = new EndedCredentials((credential) => this.isLive(credential));
    parts.store.onChanged(() => this.#ended.look());
  }

  verify(token: string): Verified | null {
    const hash = hashOfSecret('token', token);
    if (hash === null && !mayBeAccessToken(token)) return null;
    const verified = this.#parts.store.read(() => (hash === null ? this.#grantOf(token) : this.#keyOf(hash)));
    if (verified === null) return null;
    this.#note(verified);
    return verified;
  }

  isLive(credential: string): boolean {
    const id = credential.slice(0, Math.max(0, credential.indexOf('.')));
    return this.#parts.store.read(() => {
      const key = this.#parts.keys.rows().byId.get(id);
      if (key !== undefined && this.#verifiedKey(key)?.credential === credential) return true;
      const grant = this.#parts.grants.rows().byId.get(id);
      if (grant === undefined) return false;
      return TOKEN_SCOPES.some((scopes) => this.#verifiedGrant(grant, scopes)?.credential === credential);
    });
  }

  onEnded(listener: (credential: string) => void): () => void {
    return this.#ended.listen(listener);
  }

  close(): void {
    this.#ended.close();
  }

  #note({ id, trail, credential }: Verified): void {
    const now = this.#parts.clock.now();
    this.#parts.uses.note(id, now);
    if (trail !== null) this.#parts.uses.note(trail.id, now);
    this.#ended.verified(credential);
  }

  #keyOf(hash: string): Verified | null {
    const row = this.#parts.keys.rows().byHash.get(hash);
    return row === undefined ? null : this.#verifiedKey(row);
  }

  #verifiedKey(row: KeyRow): Verified | null {
    if (stateOf(row, this.#parts.clock.now()) !== 'live') return null;
    const { id, vault, readPaths, writePaths, denyPaths } = row;
    const credential = `${id}.${row.generation}`;
    const common = { id, vault, client: null, askedToWrite: true };
    if (row.trail === null) {
      const { name, scopes } = row;
      return {
        ...common,
        kind: 'key',
        credential,
        name,
        scopes,
        readPaths,
        writePaths,
        denyPaths,
        trail: null,
      };
    }
    const trail = this.#liveTrail(row.trail, vault);
    if (trail === null) return null;
    return {
      ...common,
      kind: 'trail',
      credential: `${credential}.${namedTrail(trail)}`,
      name: trail.name,
      scopes: scopesOfTrail(trail),
      readPaths: NO_PATHS,
      writePaths: NO_PATHS,
      denyPaths: NO_PATHS,
      trail: this.#trailFacts(trail),
    };
  }

  /** The grant of an access token that the provider made for this server. */
  #grantOf(token: string): Verified | null {
    const { resource, records, grants, clock } = this.#parts;
    if (resource === null) return null;
    const payload = records.find('AccessToken', sha256(token), clock.now())?.payload;
    if (payload === undefined || typeof payload.grantId !== 'string') return null;
    const grant = grants.rows().byId.get(payload.grantId);
    if (grant === undefined || !isFor(payload, grant, resource)) return null;
    if (typeof payload.exp !== 'number' || payload.exp * 1_000 <= clock.now()) return null;
    return this.#verifiedGrant(grant, scopesOfToken(payload));
  }

  /** @param carried what the access token itself allows */
  #verifiedGrant(grant: GrantRow, carried: readonly KeyScope[]): Verified | null {
    const { resource, clock } = this.#parts;
    if (grant.resource !== resource || stateOfGrant(grant, clock.now()) !== 'live') return null;
    const trail = grant.trail === null ? null : this.#liveTrail(grant.trail, grant.vault);
    if (grant.trail !== null && trail === null) return null;
    const limits = [grant.scopes, carried, ...(trail === null ? [] : [scopesOfTrail(trail)])];
    const scopes = (['read', 'write'] as const).filter((scope) =>
      limits.every((limit) => allows(limit, scope)),
    );
    const { id, vault, clientName, askedToWrite } = grant;
    const parts = [id, grant.createdAt, scopes.join('+'), ...(trail === null ? [] : [namedTrail(trail)])];
    return {
      credential: parts.join('.'),
      kind: 'grant',
      id,
      name: `${clientName} (${trail === null ? 'owner' : trail.name})`,
      vault,
      scopes,
      readPaths: NO_PATHS,
      writePaths: NO_PATHS,
      denyPaths: NO_PATHS,
      trail: trail === null ? null : this.#trailFacts(trail),
      client: clientName,
      askedToWrite,
    };
  }

  #liveTrail(id: string, vault: string): TrailRow | null {
    const row = this.#parts.trails.rows().byId.get(id);
    if (row === undefined || row.vault !== vault) return null;
    return stateOfTrail(row, this.#parts.clock.now()) === 'live' ? row : null;
  }

  #trailFacts(row: TrailRow) {
    const { uses, clock } = this.#parts;
    return trailFacts(row, uses.latest(row.id, row.lastUsedAt), clock.now());
  }
}

function mayBeAccessToken(text: string): boolean {
  return text.length <= LONGEST_TOKEN && /^[\w-]{20,}$/.test(text);
}

/** A trail as it is now: another name after each change of it. */
function namedTrail({ id, generation }: TrailRow): string {
  return `${id}.${generation}`;
}

/** True when a token was made for the terms of this grant, and for this server. */
function isFor({ aud, accountId, clientId }: OAuthPayload, grant: GrantRow, resource: string): boolean {
  const audience = Array.isArray(aud) ? aud : [aud];
  return (
    audience.length === 1 &&
    audience[0] === resource &&
    accountId === grant.account &&
    clientId === grant.clientId
  );
}

function scopesOfToken({ scope }: OAuthPayload): readonly KeyScope[] {
  const words = typeof scope === 'string' ? scope.split(' ') : [];
  if (words.includes('vault:write')) return ['read', 'write'];
  return words.includes('vault:read') ? ['read'] : [];
}
