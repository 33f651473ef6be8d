import { get } from '@grove/service';
import type { FastifyPluginAsync } from 'fastify';
import { callerOf } from '../plugins/auth.ts';

/** `/v1/notes/{path}` */
export const noteRoutes: FastifyPluginAsync = async (app) => {
  app.get('/v1/notes/*', { config: { access: 'read' } }, async (request) => {
    const { scope } = callerOf(request);
    const { '*': path } = request.params as { readonly '*': string };
    return await get.run(scope, get.parse({ ...(request.query as object), path }));
  });
};
