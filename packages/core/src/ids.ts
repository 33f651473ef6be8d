import { randomBytes } from 'node:crypto';

/** A random identifier of 128 bits in base64url, for sessions, temporary files and cursors' keys. */
export function randomId(): string {
  return randomBytes(16).toString('base64url');
}
