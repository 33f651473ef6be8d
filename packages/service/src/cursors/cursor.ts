import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { GroveError } from '@grove/core';
import type { Scope } from '../contract.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LONGEST = 8192;

/** What a cursor belongs to: the call it continues. The same call with another limit is still the same call. */
export interface CursorSubject {
  readonly operation: string;
  /** The input without its cursor and its limits. */
  readonly input: unknown;
}

/**
 * Seals a position in an answer. Only the same principal, with the same View and the same call, can open it.
 *
 * @returns base64url text
 */
export function sealCursor(scope: Scope, subject: CursorSubject, position: unknown): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, scope.cursorKey, nonce).setAAD(binding(scope, subject));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(position), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/**
 * Opens a cursor.
 *
 * @throws GroveError `bad_cursor`, the same for garbage, another call, another View and another principal
 */
export function openCursor(scope: Scope, subject: CursorSubject, cursor: string): unknown {
  const bytes = cursor.length > LONGEST ? Buffer.alloc(0) : Buffer.from(cursor, 'base64url');
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) throw new GroveError('bad_cursor');
  try {
    const decipher = createDecipheriv(CIPHER, scope.cursorKey, bytes.subarray(0, NONCE_BYTES))
      .setAAD(binding(scope, subject))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const opened = Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]);
    return JSON.parse(opened.toString('utf8'));
  } catch (cause) {
    // OpenSSL says only that the tag does not fit: every reason is the same one.
    throw new GroveError('bad_cursor', {}, { cause });
  }
}

function binding(scope: Scope, subject: CursorSubject): Buffer {
  const { kind, id } = scope.principal;
  const parts = [subject.operation, scope.view.fingerprint, kind, id, subject.input];
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
