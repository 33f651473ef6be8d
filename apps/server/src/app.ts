import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { Callers } from './http/callers.ts';
import { answerClientError } from './http/client-error.ts';
import type { AppOptions } from './http/options.ts';
import { requestIdOf } from './http/request-id.ts';
import { mcpRoute } from './mcp/http/route.ts';
import { createMcpServer } from './mcp/server.ts';
import { auth } from './plugins/auth.ts';
import { errors } from './plugins/errors.ts';
import { hosts } from './plugins/hosts.ts';
import { healthRoutes } from './routes/health.ts';
import { noteRoutes } from './routes/notes.ts';
import { queryRoutes } from './routes/query.ts';

/**
 * Builds the HTTP server, which listens nowhere yet: MCP at `/mcp`, REST under `/v1`, and what needs no key.
 *
 * @example const app = await buildApp(options); await app.inject({ url: '/healthz' });
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { limits } = options;
  const log: FastifyBaseLogger = options.log;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    bodyLimit: limits.maxBodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    http: { maxHeaderSize: limits.maxHeaderBytes },
    clientErrorHandler: answerClientError,
    // Ours to answer, in the form of every other error.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 4096 },
  });
  app.server.maxConnections = limits.maxConnections;
  const callers = new Callers(options.control.keys, options.vaults);
  app.addHook('onClose', async () => callers.close());
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  await app.register(errors, { maxBodyBytes: limits.maxBodyBytes });
  await app.register(hosts, { names: options.names, publicUrl: options.publicUrl });
  await app.register(auth, { callers });
  await app.register(healthRoutes, options);
  await app.register(noteRoutes);
  await app.register(queryRoutes);
  await app.register(mcpRoute, { ...options, createMcp: options.createMcp ?? createMcpServer });
  return app;
}
