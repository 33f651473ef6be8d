import type { OpenedVault } from '@grove/service';
import type { FastifyPluginAsync } from 'fastify';
import type { AppOptions } from '../http/options.ts';

type Readiness = 'starting' | 'ready' | 'degraded';

/**
 * `/healthz`: the process answers. `/readyz`: every vault can be searched and its folder is there; 503 otherwise.
 * Neither tells anything of a vault, not even which.
 */
export const healthRoutes: FastifyPluginAsync<Pick<AppOptions, 'vaults'>> = async (app, { vaults }) => {
  const waiting = new Set(vaults);
  for (const vault of vaults)
    vault.ready.then(
      () => waiting.delete(vault),
      () => {},
    );

  const readiness = (): Readiness => {
    if (vaults.some(isDegraded)) return 'degraded';
    return waiting.size === 0 ? 'ready' : 'starting';
  };

  app.get('/healthz', { config: { access: 'open' } }, async (_, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', { config: { access: 'open' } }, async (_, reply) => {
    const status = readiness();
    return await reply
      .code(status === 'ready' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status });
  });
};

/** The folder is away, or there is no index and none is being made. */
function isDegraded({ vault, search }: OpenedVault): boolean {
  return vault.state === 'degraded' || search.health().state === 'failed';
}
