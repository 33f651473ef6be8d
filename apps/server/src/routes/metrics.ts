import type { Scope } from '@grove/service';
import fastifyPlugin from 'fastify-plugin';
import { Gauge, Registry } from 'prom-client';
import { Metrics } from '../http/metrics.ts';
import type { AppOptions } from '../http/options.ts';
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
export const metricsRoute = fastifyPlugin<Pick<AppOptions, 'version'>>(
  async (app, { version }) => {
    const metrics = new Metrics({ version });
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
      const [server, vault] = await Promise.all([metrics.text(), vaultText(opened.slug, scope)]);
      return await reply
        .header('cache-control', 'no-store')
        .type(metrics.contentType)
        .send(server + vault);
    });
  },
  { name: 'metrics', fastify: '5.x', dependencies: ['auth'] },
);

/** What the caller may know of its vault, as it is now. */
async function vaultText(vault: string, { view, search }: Scope): Promise<string> {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: number): void => {
    new Gauge({ name, help, labelNames: ['vault'], registers: [registry] }).set({ vault }, value);
  };
  const { state, documents, pending } = search.health();
  gauge('grove_notes', 'Notes that the key may see.', view.size);
  gauge('grove_index_ready', '1 when the search index holds every note, else 0.', state === 'ready' ? 1 : 0);
  if (view.isOwner) {
    gauge('grove_index_documents', 'Notes in the search index.', documents);
    gauge('grove_index_pending', 'Changed notes that the search index does not hold yet.', pending);
  }
  return await registry.metrics();
}
