import { isUtf8 } from 'node:buffer';
import { GroveError } from '@grove/core';
import { isJsonContentType } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';

/**
 * The JSON in the body of a POST.
 *
 * @throws GroveError `media_type_refused`, `bad_body`
 */
export function readBody({ headers, body }: FastifyRequest): unknown {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = headers;
  if (!isJsonContentType(type ?? null))
    throw new GroveError('media_type_refused', { type: type ?? 'none', offered: 'application/json' });
  if (encoding.toLowerCase() !== 'identity')
    throw new GroveError('media_type_refused', {
      type: encoding,
      offered: 'application/json, not compressed',
    });
  if (!Buffer.isBuffer(body) || !isUtf8(body))
    throw new GroveError('bad_body', { reason: 'it is not UTF-8' });
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new GroveError('bad_body', { reason: 'it is not JSON' }, { cause });
  }
}
