import { createHash, randomBytes } from 'node:crypto';

const TOKEN = /^grove_[A-Za-z0-9_-]{43}$/;
const KEY_ID = /^k_[A-Za-z0-9_-]{12}$/;

/** A new secret: `grove_` and 32 random bytes in base64url. */
export function newToken(): string {
  return `grove_${randomBytes(32).toString('base64url')}`;
}

/** The id of a new key: `k_` and 9 random bytes in base64url. */
export function newKeyId(): string {
  return `k_${randomBytes(9).toString('base64url')}`;
}

/** True for a text that has the form of a key's id. */
export function isKeyId(text: string): boolean {
  return KEY_ID.test(text);
}

/**
 * What is stored of a token, and looked up: its SHA-256 in hex. Null for a text that cannot be a token, however
 * long it is. A token holds 256 random bits, so a fast hash keeps it secret, and the look-up by hash compares no
 * secret.
 */
export function hashOfToken(token: string): string | null {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest('hex') : null;
}
