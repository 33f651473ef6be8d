import { GroveError } from '@grove/core';
import { parseInput, writeNote } from '@grove/service';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { FORMS, runCall, sendPrivate } from './answer.ts';
import { formOf } from './forms.ts';
import { bodyOf } from './json-body.ts';
import { withHeaders } from './note-writes.ts';
import { takesNoParameters } from './parameters.ts';
import { ADDING, batchBody } from './write-parameters.ts';

/** `POST /v1/batch`: several operations of write_note, one commit each or, with `atomic`, one for all or none. */
export const batchRoutes: FastifyPluginAsync = async (app) => {
  app.post('/v1/batch', { config: { access: ADDING, tool: writeNote.name } }, answerBatch);
};

async function answerBatch(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  takesNoParameters(request);
  const form = formOf(request, FORMS);
  const body = bodyOf(request);
  const { operations } = parseInput(batchBody, body);
  if (Array.isArray(operations) && operations.length === 0)
    throw new GroveError('bad_input', { name: 'operations', reason: '"operations" is missing' });
  const fields = withHeaders(request, body);
  for (const [name, header] of [
    ['if_hash', 'If-Match'],
    ['create_only', 'If-None-Match'],
  ] as const)
    if (Object.hasOwn(fields, name))
      throw new GroveError('bad_input', {
        name: header,
        reason: `${header} says nothing about a batch; put "${name}" into its operations`,
      });
  const raw = { ...fields, merge: false };
  const answer = await runCall(request, writeNote, { raw, input: writeNote.parse(raw) });
  return sendPrivate(reply, form, form === 'json' ? answer : writeNote.present(answer));
}
