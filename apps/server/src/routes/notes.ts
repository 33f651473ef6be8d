import { listNotes } from '@grove/service';
import type { FastifyPluginAsync } from 'fastify';
import { answerWith } from './answer.ts';
import { inputOf } from './parameters.ts';

const LIST = { config: { access: 'read', tool: listNotes.name } } as const;

/** `GET /v1/notes`: the notes that the filters leave; `GET /v1/tags`: their tags, with counts. */
export const notesRoutes: FastifyPluginAsync = async (app) => {
  app.get('/v1/notes', LIST, (request, reply) =>
    answerWith(request, reply, listNotes, inputOf(request, listNotes)),
  );
  app.get('/v1/tags', LIST, (request, reply) =>
    answerWith(request, reply, listNotes, inputOf(request, listNotes, { of: 'tags' })),
  );
};
