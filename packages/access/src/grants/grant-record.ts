import { isoTime, isoTimeOrNull } from '../wishes/iso-time.ts';
import type { GrantFacts, GrantScope } from './grants.ts';

/** A grant as programs are told of it. Times are ISO 8601 in UTC. */
export interface GrantRecord {
  readonly id: string;
  readonly vault: string;
  /** The id of the trail that it is bound to; null for the owner's. */
  readonly trail: string | null;
  readonly scopes: readonly GrantScope[];
  readonly client_id: string;
  readonly client_name: string;
  readonly redirect_host: string;
  readonly resource: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly state: GrantFacts['state'];
}

/**
 * A grant for an answer in JSON, with the names that every interface has for its parts.
 *
 * @example grantRecord(grants.find(id)).client_name // 'Claude'
 */
export function grantRecord(grant: GrantFacts): GrantRecord {
  return {
    id: grant.id,
    vault: grant.vault,
    trail: grant.trail,
    scopes: grant.scopes,
    client_id: grant.clientId,
    client_name: grant.clientName,
    redirect_host: grant.redirectHost,
    resource: grant.resource,
    created_at: isoTime(grant.createdAt),
    last_used_at: isoTimeOrNull(grant.lastUsedAt),
    revoked_at: isoTimeOrNull(grant.revokedAt),
    state: grant.state,
  };
}
