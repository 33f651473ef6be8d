import type { IncomingHttpHeaders } from 'node:http';
import { GroveError } from '@grove/core';

/**
 * The JSON in a body, which must be UTF-8 (RFC 8259 section 8.1); a byte order mark is passed over.
 *
 * @throws GroveError `bad_body`
 */
export function parseJsonBytes(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'it is not JSON' : 'it is not UTF-8';
    throw new GroveError('bad_body', { reason }, { cause });
  }
}

/**
 * Refuses compressed bodies: how large they would become is not known beforehand.
 *
 * @throws GroveError `media_type_refused`
 */
export function requireUncompressed(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') return;
  throw new GroveError('media_type_refused', {
    type: `${encoding}-encoded`,
    offered: 'application/json without a Content-Encoding',
  });
}
