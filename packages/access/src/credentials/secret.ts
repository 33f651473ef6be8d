import { createHash, randomBytes } from 'node:crypto';
import { GroveError } from '@grove/core';

/** What a secret of Grove's own making opens; each begins with a word that tells it apart. */
const PREFIXES = { token: 'grove_', invite: 'invite_', client: 'client_', setup: 'setup_' } as const;

/** A kind of secret. */
export type SecretKind = keyof typeof PREFIXES;

/** A new secret, and what is kept of it. */
export interface NewSecret {
  readonly secret: string;
  readonly hash: string;
}

/** A new secret: its word and 32 random bytes in base64url. */
export function newSecret(kind: SecretKind): NewSecret {
  const secret = `${PREFIXES[kind]}${randomBytes(32).toString('base64url')}`;
  const hash = hashOfSecret(kind, secret);
  if (hash === null) throw new GroveError('internal');
  return { secret, hash };
}

/**
 * What is stored of a secret, and looked up: its SHA-256 in hex. Null for a text that cannot be one, however long it
 * is. A secret holds 256 random bits, so a fast hash keeps it secret, and the look-up by hash compares no secret.
 */
export function hashOfSecret(kind: SecretKind, text: string): string | null {
  const prefix = PREFIXES[kind];
  if (text.length !== prefix.length + 43 || !text.startsWith(prefix)) return null;
  return /^[A-Za-z0-9_-]{43}$/.test(text.slice(prefix.length)) ? sha256(text) : null;
}

/** SHA-256 of a text, in hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
