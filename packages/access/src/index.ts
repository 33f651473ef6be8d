// Who may call, what for and what came of it: control.db.

// Contracts, by what is kept.
export type * from './audit/audit.ts';
export {
  type AuditRecord,
  auditRecord,
  type SumRecord,
  type UsageRecord,
  usageRecord,
} from './audit/audit-record.ts';
export { clientRecord, type OAuthClientRecord } from './clients/client-record.ts';
export type * from './clients/oauth-clients.ts';
export { type Control, type ControlOptions, openControl } from './control.ts';
// Opening control.db.
export { checkControlFile } from './control-file/check-file.ts';
export type * from './credentials/credentials.ts';
export { type GrantRecord, grantRecord } from './grants/grant-record.ts';
export type * from './grants/grants.ts';
export { type KeyRecord, keyRecord } from './keys/key-record.ts';
export type * from './keys/keys.ts';
export type * from './oauth/oauth-records.ts';
export type * from './owner/owner-secret.ts';
export type { KeySet, ServerSecrets } from './secrets/server-secrets.ts';
export { type TrailRecord, trailRecord } from './trails/trail-record.ts';
export type * from './trails/trails.ts';
// What the words of a wish mean.
export { parseExpiry, parseSince } from './wishes/moment.ts';
export { UNPRINTABLE } from './wishes/name.ts';
export { grants, KEY_SCOPES, type KeyScope, parseScopes } from './wishes/scopes.ts';
