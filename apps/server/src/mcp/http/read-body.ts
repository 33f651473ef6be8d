import { GroveError } from '@grove/core';
import { isJsonContentType } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { parseJsonBytes, requireUncompressed } from '../../http/json-bytes.ts';

/**
 * The JSON in the body of a POST.
 *
 * @throws GroveError `media_type_refused`, `bad_body`
 */
export function readBody({ headers, body }: FastifyRequest): unknown {
  const type = headers['content-type'];
  if (!isJsonContentType(type ?? null))
    throw new GroveError('media_type_refused', { type: type ?? 'none', offered: 'application/json' });
  requireUncompressed(headers);
  if (!Buffer.isBuffer(body)) throw new GroveError('bad_body', { reason: 'it is empty' });
  return parseJsonBytes(body);
}
