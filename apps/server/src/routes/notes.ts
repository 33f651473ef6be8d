import { listNotes } from '@grove/service';
import type { FastifyPluginAsync } from 'fastify';
import { answerWith } from './answer.ts';
import { inputOf } from './parameters.ts';

/** `GET /v1/notes`: the notes that the filters leave; `GET /v1/tags`: their tags, with counts. */
export const notesRoutes: FastifyPluginAsync = async (app) => {
  app.get('/v1/notes', { config: { access: 'read' } }, (request, reply) =>
    answerWith(request, reply, listNotes, inputOf(request, listNotes)),
  );
  app.get('/v1/tags', { config: { access: 'read' } }, (request, reply) =>
    answerWith(request, reply, listNotes, inputOf(request, listNotes, { of: 'tags' })),
  );
};
