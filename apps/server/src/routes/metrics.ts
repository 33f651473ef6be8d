import fastifyPlugin from 'fastify-plugin';
import { Metrics } from '../http/metrics.ts';
import type { AppOptions } from '../http/options.ts';
import { VaultGauges } from '../http/vault-gauges.ts';
import { callerOf } from '../plugins/auth.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly metrics: Metrics;
  }
}

/**
 * `/metrics`, for the scope admin: what the server counts of itself, and of the caller's own vault. Registered before
 * the routes whose requests it counts.
 */
export const metricsRoute = fastifyPlugin<Pick<AppOptions, 'version' | 'control'>>(
  async (app, { version, control }) => {
    const metrics = new Metrics({ version });
    const gauges = new VaultGauges(control.audit);
    app.decorate('metrics', metrics);
    app.addHook('onResponse', async (request, reply) => {
      metrics.answered({
        method: request.method,
        route: request.is404 ? null : (request.routeOptions.url ?? null),
        status: reply.statusCode,
        seconds: reply.elapsedTime / 1000,
      });
    });
    app.get('/metrics', { config: { access: 'admin' } }, async (request, reply) => {
      const { scope, opened } = callerOf(request);
      const [server, vault] = await Promise.all([metrics.text(), gauges.text(opened.slug, scope)]);
      return await reply
        .header('cache-control', 'no-store')
        .type(metrics.contentType)
        .send(server + vault);
    });
  },
  { name: 'metrics', fastify: '5.x', dependencies: ['auth'] },
);
