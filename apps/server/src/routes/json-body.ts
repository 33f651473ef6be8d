import { GroveError } from '@grove/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Takes bodies of JSON in UTF-8 (RFC 8259 section 8.1) and of nothing else, compressed ones neither: how large they
 * would become is not known beforehand.
 */
export function takeJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) =>
    parseJson(body),
  );
  app.addHook('preParsing', async (request) => {
    const encoding = request.headers['content-encoding']?.trim().toLowerCase();
    if (encoding === undefined || encoding === '' || encoding === 'identity') return;
    throw new GroveError('media_type_refused', {
      type: `${encoding}-encoded`,
      offered: 'application/json without a Content-Encoding',
    });
  });
}

/**
 * The JSON object that a request brought.
 *
 * @throws GroveError `bad_body` for anything else, no body included
 */
export function bodyOf({ body }: FastifyRequest): Readonly<Record<string, unknown>> {
  if (body === undefined) throw new GroveError('bad_body', { reason: 'it is empty' });
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new GroveError('bad_body', { reason: 'it is not a JSON object' });
  return body as Record<string, unknown>;
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'it is not JSON' : 'it is not UTF-8';
    throw new GroveError('bad_body', { reason }, { cause });
  }
}
