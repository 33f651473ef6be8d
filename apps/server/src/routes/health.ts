import type { FastifyPluginAsync } from 'fastify';
import type { AppOptions } from '../http/options.ts';

/** `/healthz`: the process answers. `/readyz`: every vault can be searched. Neither tells anything of a vault. */
export const healthRoutes: FastifyPluginAsync<Pick<AppOptions, 'vaults'>> = async (app, { vaults }) => {
  const waiting = new Set(vaults);
  for (const vault of vaults)
    vault.ready.then(
      () => waiting.delete(vault),
      () => {},
    );
  app.get('/healthz', { config: { access: 'open' } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { config: { access: 'open' } }, async (_, reply) => {
    const ready = waiting.size === 0;
    return await reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'starting' });
  });
};
