import { createHash } from 'node:crypto';

/**
 * `content_hash` of a note or section: the first 16 hex digits of SHA-256 over its bytes.
 *
 * @example contentHash(Buffer.from('')) // 'e3b0c44298fc1c14'
 */
export function contentHash(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

/** The git blob id (40 hex digits) that these bytes have without any conversion (gitformat-objects). */
export function blobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex');
}
