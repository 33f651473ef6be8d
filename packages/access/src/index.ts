// Who may call: keys and the file that they are kept in.

// Opening control.db.
export { type Control, type ControlOptions, openControl } from './control.ts';
// Contract.
export { type KeyRecord, keyRecord } from './keys/key-record.ts';
export type * from './keys/keys.ts';
// What the words of a wish mean.
export { parseExpiry } from './wishes/expiry.ts';
export { grants, KEY_SCOPES, type KeyScope, parseScopes } from './wishes/scopes.ts';
