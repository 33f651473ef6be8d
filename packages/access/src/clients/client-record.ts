import { isoTime } from '../wishes/iso-time.ts';
import type { OAuthClientFacts } from './oauth-clients.ts';

/** A static client as programs are told of it. Times are ISO 8601 in UTC. */
export interface OAuthClientRecord {
  readonly client_id: string;
  readonly name: string;
  readonly redirect_uris: readonly string[];
  readonly created_at: string;
}

/** A client for an answer in JSON, with the names that every interface has for its parts. */
export function clientRecord({ id, name, redirectUris, createdAt }: OAuthClientFacts): OAuthClientRecord {
  return { client_id: id, name, redirect_uris: redirectUris, created_at: isoTime(createdAt) };
}
