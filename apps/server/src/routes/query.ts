import { query } from '@grove/service';
import type { FastifyPluginAsync } from 'fastify';
import { callerOf } from '../plugins/auth.ts';

/** `GET` and `POST /v1/query` */
export const queryRoutes: FastifyPluginAsync = async (app) => {
  app.get('/v1/query', { config: { access: 'read' } }, async (request) => {
    const { q, ...rest } = request.query as Readonly<Record<string, unknown>>;
    return await query.run(
      callerOf(request).scope,
      query.parse({ ...rest, ...(q === undefined ? {} : { query: q }) }),
    );
  });
  app.post('/v1/query', { config: { access: 'read' } }, async (request) =>
    query.run(callerOf(request).scope, query.parse(request.body)),
  );
};
