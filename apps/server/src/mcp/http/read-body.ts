import { isUtf8 } from 'node:buffer';
import { GroveError } from '@grove/core';
import { isJsonContentType, PARSE_ERROR } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { rpcError } from './rpc-error.ts';

/** The JSON of a request's body, or the answer to one that holds none. */
export type ReadBody =
  | { readonly json: unknown; readonly refusal?: undefined }
  | { readonly refusal: Response; readonly json?: undefined };

/**
 * Reads the body of a POST.
 *
 * @throws GroveError `media_type_refused`
 */
export function readBody({ headers, body }: FastifyRequest): ReadBody {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = headers;
  if (!isJsonContentType(type ?? null))
    throw new GroveError('media_type_refused', { type: type ?? 'none', offered: 'application/json' });
  if (encoding.toLowerCase() !== 'identity')
    throw new GroveError('media_type_refused', {
      type: encoding,
      offered: 'application/json, not compressed',
    });
  if (!Buffer.isBuffer(body) || !isUtf8(body)) return { refusal: NO_JSON() };
  try {
    return { json: JSON.parse(body.toString('utf8')) };
  } catch {
    return { refusal: NO_JSON() };
  }
}

const NO_JSON = (): Response => rpcError(400, PARSE_ERROR, 'Parse error: the body is not JSON');
