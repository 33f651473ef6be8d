import { multiGet } from '@grove/service';
import type { FastifyPluginAsync } from 'fastify';
import { answerWith } from './answer.ts';
import { bodyOf } from './json-body.ts';

/** `POST /v1/multi-get`: several notes at once. */
export const multiGetRoutes: FastifyPluginAsync = async (app) => {
  app.post('/v1/multi-get', { config: { access: 'read', tool: multiGet.name } }, (request, reply) =>
    answerWith(request, reply, multiGet, bodyOf(request)),
  );
};
