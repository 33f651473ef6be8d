import { conflicts, settle } from '@grove/service';
import type { FastifyPluginAsync } from 'fastify';
import { answerWith } from './answer.ts';
import { bodyOf } from './json-body.ts';
import { inputOf, takesNoParameters } from './parameters.ts';

/** `GET /v1/conflicts`: copies that pulls left beside notes. `POST /v1/conflicts` settles one of them. */
export const conflictRoutes: FastifyPluginAsync = async (app) => {
  app.get('/v1/conflicts', { config: { access: 'read', tool: conflicts.name } }, (request, reply) =>
    answerWith(request, reply, conflicts, inputOf(request, conflicts)),
  );
  app.post('/v1/conflicts', { config: { access: 'write', tool: settle.name } }, (request, reply) => {
    takesNoParameters(request);
    return answerWith(request, reply, settle, bodyOf(request));
  });
};
