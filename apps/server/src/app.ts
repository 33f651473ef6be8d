import Fastify, { type FastifyInstance } from 'fastify';
import { Callers } from './http/callers.ts';
import { Connections } from './http/connections.ts';
import { answerOddRequests } from './http/odd-requests.ts';
import type { AppOptions } from './http/options.ts';
import { parseServerNames } from './http/server-names.ts';
import { MAX_HEADERS, serverOptions } from './http/server-options.ts';
import { mcpRoute } from './mcp/http/route.ts';
import { createMcpServer } from './mcp/server.ts';
import { oauth } from './oauth/oauth.ts';
import { ownerPages } from './owner/owner.ts';
import { OwnerSignIn } from './owner/sign-in/owner-sign-in.ts';
import { stylesheet } from './pages/stylesheet.ts';
import { admission, lastAnswers } from './plugins/admission.ts';
import { audit } from './plugins/audit.ts';
import { auth } from './plugins/auth.ts';
import { cors } from './plugins/cors.ts';
import { errors } from './plugins/errors.ts';
import { hosts } from './plugins/hosts.ts';
import { addressLimits } from './plugins/limits/address-limits.ts';
import { callLimits } from './plugins/limits/call-limits.ts';
import { passedOn } from './plugins/passed-on.ts';
import { replies } from './plugins/replies.ts';
import { unknownRoutes } from './plugins/unknown-routes.ts';
import { docsRoutes } from './routes/docs.ts';
import { healthRoutes } from './routes/health.ts';
import { metricsRoute } from './routes/metrics.ts';
import { restRoutes } from './routes/rest.ts';
import { startRoute } from './routes/start.ts';
import { syncRoutes } from './routes/sync.ts';

/**
 * Builds the HTTP server, which listens nowhere yet: MCP at `/mcp`, REST under `/v1`, and what needs no key.
 *
 * @throws GroveError `bad_input` for a name or an address that the server could not answer to
 * @example const app = await buildApp(options); await app.inject({ url: '/healthz' });
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { control, limits, log, publicUrl, vaults } = options;
  const names = parseServerNames(options.names, publicUrl);
  const connections = new Connections(limits.maxConnections);
  const app = Fastify(serverOptions(limits, log, connections, options.trustedProxies));
  connections.watch(app.server);
  answerOddRequests(app.server);
  const callers = new Callers(control.credentials, vaults);
  app.addHook('onClose', async () => callers.close());
  await app.register(replies, { maxHeaders: MAX_HEADERS, log });
  await app.register(errors, limits);
  await app.register(hosts, { names });
  await app.register(passedOn);
  await app.register(cors);
  await app.register(admission, { connections, ...limits });
  await app.register(addressLimits);
  await app.register(auth, { callers });
  await app.register(callLimits, options);
  await app.register(audit, { ...options, audit: control.audit });
  await app.register(unknownRoutes, { callers });
  await app.register(metricsRoute, options);
  await app.register(healthRoutes, options);
  await app.register(startRoute, options);
  await app.register(docsRoutes, options);
  await app.register(restRoutes, options);
  await app.register(syncRoutes, options);
  const signIn = new OwnerSignIn(options);
  await app.register(stylesheet);
  await app.register(ownerPages, { ...options, signIn });
  await app.register(oauth, { ...options, signIn });
  await app.register(mcpRoute, { ...options, createMcp: options.createMcp ?? createMcpServer });
  await app.register(lastAnswers, { connections });
  return app;
}
