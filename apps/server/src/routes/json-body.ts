import { GroveError } from '@grove/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseJsonBytes, requireUncompressed } from '../http/json-bytes.ts';

/** Takes bodies of JSON and of nothing else; an empty one is none. */
export function takeJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) =>
    body.length === 0 ? undefined : parseJsonBytes(body),
  );
  app.addHook('preParsing', async ({ headers }) => requireUncompressed(headers));
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
