import { isoTime, isoTimeOrNull } from '../wishes/iso-time.ts';
import type { KeyScope } from '../wishes/scopes.ts';
import type { KeyFacts } from './keys.ts';

/** A key as programs are told of it. Times are ISO 8601 in UTC. */
export interface KeyRecord {
  readonly id: string;
  readonly name: string;
  readonly vault: string;
  /** The id of the trail that it is a token of; null for a key of the owner's. */
  readonly trail: string | null;
  readonly scopes: readonly KeyScope[];
  readonly read_paths: readonly string[];
  readonly write_paths: readonly string[];
  readonly deny_paths: readonly string[];
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly state: KeyFacts['state'];
  readonly ending: string;
}

/**
 * A key for an answer in JSON, with the names that every interface has for its parts.
 *
 * @example keyRecord(keys.find('Laptop')).created_at // '2026-11-30T12:00:00.000Z'
 */
export function keyRecord(key: KeyFacts): KeyRecord {
  return {
    id: key.id,
    name: key.name,
    vault: key.vault,
    trail: key.trail,
    scopes: key.scopes,
    read_paths: key.readPaths,
    write_paths: key.writePaths,
    deny_paths: key.denyPaths,
    created_at: isoTime(key.createdAt),
    expires_at: isoTimeOrNull(key.expiresAt),
    last_used_at: isoTimeOrNull(key.lastUsedAt),
    revoked_at: isoTimeOrNull(key.revokedAt),
    state: key.state,
    ending: key.ending,
  };
}
