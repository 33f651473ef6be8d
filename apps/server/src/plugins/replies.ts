import { GroveError } from '@grove/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { inRequest } from '../current-request.ts';
import { REPLY_HEADERS } from '../http/reply-headers.ts';
import type { Log } from '../log.ts';

interface RepliesOptions {
  /** Node drops the headers past this count without a word; a request that reaches it is refused. */
  readonly maxHeaders: number;
  readonly log: Log;
}

/** What every answer carries, whatever becomes of the request, and its line in the log. */
export const replies = fastifyPlugin<RepliesOptions>(
  async (app, { maxHeaders, log }) => {
    app.addHook('onRequest', (request, _, done) => inRequest(request.id, done));
    // The events of a body that was read come from the connection, which is of no request.
    app.addHook('preValidation', (request, _, done) => inRequest(request.id, done));
    app.addHook('onRequest', async (request, reply) => {
      markReply(request, reply);
      if (request.raw.rawHeaders.length >= 2 * maxHeaders) throw new GroveError('headers_too_large');
    });
    if (!log.isLevelEnabled('info')) return;
    app.addHook('onResponse', async (request, reply) => {
      logAnswer(request, reply);
    });
  },
  { name: 'replies', fastify: '5.x' },
);

/** Sets the request's id and the headers that every answer has. */
export function markReply(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id).headers(REPLY_HEADERS);
}

/** One line a request: never an address, a query, a header or a body, which may hold names of notes or a key. */
export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  const length = Number(reply.getHeader('content-length') ?? Number.NaN);
  request.log.info(
    {
      reqId: request.id,
      method: request.method,
      route: request.is404 ? null : (request.routeOptions.url ?? null),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
      bytes: Number.isNaN(length) ? null : length,
      key: request.caller?.principal.id ?? null,
      ...(request.outcome === 'ok' ? {} : { outcome: request.outcome }),
      ...(reply.raw.writableFinished ? {} : { aborted: true }),
    },
    'answered',
  );
}
