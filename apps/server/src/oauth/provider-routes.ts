import { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { AppOptions } from '../http/options.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { clientMetadata } from './clients/client-metadata.ts';
import { ROUTES } from './provider/create-provider.ts';

interface ProviderRoutesOptions extends Pick<AppOptions, 'limits'> {
  readonly server: AuthorizationServer;
}

/** A registration is a few addresses and a name. */
const MAX_REGISTRATION_BYTES = 32 * 1024;
const OPEN = { config: { access: 'open' as const }, exposeHeadRoute: false };

/** The endpoints that the provider answers itself. */
export const providerRoutes: FastifyPluginAsync<ProviderRoutesOptions> = async (app, { server, limits }) => {
  const limited = app.limitByAddress('authorizations and requests for tokens', limits.maxAuthorizations);
  const answer = (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    handOver(server, request.raw, reply);

  await app.register(async (scope) => {
    // The provider reads bodies itself, within a limit of its own.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
      ROUTES.jwks,
    ])
      scope.get(path, OPEN, answer);
    for (const path of [ROUTES.authorization, `${ROUTES.authorization}/:uid`])
      scope.get(path, { ...OPEN, onRequest: limited }, answer);
    for (const path of [ROUTES.token, ROUTES.revocation])
      scope.post(path, { ...OPEN, onRequest: limited }, answer);
  });
  await app.register(async (scope) => registrationRoute(scope, server, limits.maxRegistrations));
};

/** Registration (RFC 7591), of which the provider sees what {@link clientMetadata} leaves. */
function registrationRoute(app: FastifyInstance, server: AuthorizationServer, perMinute: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_REGISTRATION_BYTES }, (_, body, done) =>
    done(null, body),
  );
  const limited = { ...OPEN, onRequest: app.limitByAddress('registrations of clients', perMinute) };
  app.post(ROUTES.registration, limited, async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    await handOver(server, withBody(request.raw, normalised(body)), reply);
  });
}

/** What is no JSON object stays as it is, for the provider to refuse. */
function normalised(body: Buffer): Buffer {
  try {
    const said: unknown = JSON.parse(body.toString());
    if (typeof said !== 'object' || said === null || Array.isArray(said)) return body;
    return Buffer.from(JSON.stringify(clientMetadata(said as Record<string, unknown>)));
  } catch (error) {
    if (error instanceof SyntaxError) return body;
    throw error;
  }
}

/** The same request with another body, which can be read. */
function withBody(request: IncomingMessage, body: Buffer): IncomingMessage {
  const again = new IncomingMessage(request.socket);
  const { 'transfer-encoding': _chunked, ...headers } = request.headers;
  again.headers = { ...headers, 'content-length': String(body.length) };
  again.method = request.method ?? 'POST';
  again.url = request.url ?? '/';
  again.push(body);
  again.push(null);
  // It would take the connection for broken off, and end it.
  again.complete = true;
  return again;
}

async function handOver(
  server: AuthorizationServer,
  request: IncomingMessage,
  reply: FastifyReply,
): Promise<void> {
  // What may fail before there is an answer is answered as every other failure.
  const answer = server.answerer();
  reply.hijack();
  // What hooks have set, CORS and the request's id among it, would be lost.
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  await answer(request, reply.raw);
}
