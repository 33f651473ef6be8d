import { randomBytes } from 'node:crypto';

const PREFIXES = { key: 'k_', trail: 't_', client: 'c_' } as const;

/** What has an id that people see. */
export type IdKind = keyof typeof PREFIXES;

/** A new id: a letter for its kind, `_`, and 9 random bytes in base64url. */
export function newId(kind: IdKind): string {
  return `${PREFIXES[kind]}${randomBytes(9).toString('base64url')}`;
}

/** True for a text that has the form of an id, of this kind or of any. */
export function isId(text: string, kind?: IdKind): boolean {
  if (!/^[ktc]_[A-Za-z0-9_-]{12}$/.test(text)) return false;
  return kind === undefined || text.startsWith(PREFIXES[kind]);
}
