import { GroveError } from '@grove/core';
import type { FastifyPluginAsync } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { type Connections, MOST_PENDING } from '../http/connections.ts';

interface AdmissionOptions {
  readonly connections: Connections;
  readonly maxConnections: number;
  /** How long requests that run are given at shutdown, in milliseconds. */
  readonly drainMs: number;
}

/** Seconds after which a client may come again: a restart takes about as long. */
const RETRY_SECONDS = '5';

/**
 * Turns away what cannot be taken now: connections past the cap, requests that come before too many answers were read,
 * and requests while the server stops.
 */
export const admission = fastifyPlugin<AdmissionOptions>(
  async (app, { connections, maxConnections, drainMs }) => {
    let isStopping = false;
    let timer: NodeJS.Timeout | undefined;
    app.addHook('onRequest', async ({ raw, routeOptions }, reply) => {
      if (connections.isExcess(reply.raw)) {
        reply.header('connection', 'close');
        throw new GroveError('pipeline_full', { limit: MOST_PENDING });
      }
      if (!isStopping && !connections.isSpare(raw.socket)) return;
      reply.header('connection', 'close');
      if (routeOptions.url === '/healthz') return;
      reply.header('retry-after', RETRY_SECONDS);
      if (!isStopping) throw new GroveError('server_busy', { limit: maxConnections });
      if (routeOptions.url === '/readyz') return await reply.code(503).send({ status: 'stopping' });
      throw new GroveError('stopping');
    });
    app.addHook('onSend', async (_, reply) => {
      // A request that began before: its client must not send the next one here.
      if (isStopping) reply.header('connection', 'close');
    });
    // Runs before the hooks of the same name that end streams, and before the server stops to listen.
    app.addHook('preClose', async () => {
      isStopping = true;
      connections.drain();
      timer = setTimeout(() => {
        const count = connections.cut();
        if (count > 0) app.log.warn({ count }, 'connections were cut: their requests did not end in time');
      }, drainMs).unref();
    });
    app.addHook('onClose', async () => clearTimeout(timer));
  },
  { name: 'admission', fastify: '5.x', dependencies: ['errors'] },
);

/**
 * Keeps the server listening while requests run, so that others are told to come again instead of finding nothing.
 * Registered last, and in a context of its own: the hooks that end streams come before.
 */
export const lastAnswers: FastifyPluginAsync<Pick<AdmissionOptions, 'connections'>> = async (
  app,
  { connections },
) => {
  app.addHook('preClose', () => connections.answered());
};
