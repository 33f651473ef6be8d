import fastifyCors from '@fastify/cors';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { withVary } from '../http/vary.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'X-Request-Id',
  'Mcp-Session-Id',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
];
const EXPOSED_HEADERS = [
  'WWW-Authenticate',
  'Mcp-Session-Id',
  'ETag',
  'Location',
  'Content-Location',
  'Link',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Request-Id',
];
/** How long a browser may keep the answer to a preflight, in seconds. */
const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of allowed origins call from a browser. `hosts` has refused all others before this runs. Cookies play no
 * part, so that no page ever acts with rights that it does not hold itself.
 */
export const cors = fastifyPlugin(
  async (app) => {
    app.addHook('onRoute', (route) => {
      // Answers preflights, which carry no key; everything else that comes to it is told that there is nothing.
      if (route.url === '*' && route.method === 'OPTIONS') route.config = { ...route.config, access: 'open' };
    });
    await app.register(fastifyCors, {
      delegator: (request, done) =>
        done(null, {
          origin: request.headers.origin === undefined ? false : request.headers.origin,
          methods: METHODS,
          allowedHeaders: ALLOWED_HEADERS,
          exposedHeaders: EXPOSED_HEADERS,
          maxAge: PREFLIGHT_SECONDS,
          preflight: isPreflight(request),
          strictPreflight: false,
        }),
    });
    // Routes set Vary for what they look at themselves.
    app.addHook('onSend', async (_, reply) => {
      reply.header('vary', withVary(reply.getHeader('vary'), 'Origin'));
    });
  },
  { name: 'cors', fastify: '5.x', dependencies: ['hosts'] },
);

/** https://fetch.spec.whatwg.org/#cors-preflight-request */
function isPreflight({ method, headers }: FastifyRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}
