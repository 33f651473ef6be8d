import { GroveError } from '@grove/core';
import { query } from '@grove/service';
import type { FastifyPluginAsync } from 'fastify';
import { answerWith } from './answer.ts';
import { bodyOf } from './json-body.ts';
import { inputOf } from './parameters.ts';

const SEARCH = { config: { access: 'read', tool: query.name } } as const;

/** `GET` and `POST /v1/query`: search. In an address `q` is short for `query`. */
export const queryRoutes: FastifyPluginAsync = async (app) => {
  app.get('/v1/query', SEARCH, (request, reply) =>
    answerWith(request, reply, query, withQuery(inputOf(request, query))),
  );
  app.post('/v1/query', SEARCH, (request, reply) => answerWith(request, reply, query, bodyOf(request)));
};

function withQuery({ q, ...input }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (q === undefined) return input;
  if (Object.hasOwn(input, 'query'))
    throw new GroveError('bad_input', {
      name: 'q',
      reason: '"q" and "query" are the same; send one of them',
    });
  return { ...input, query: q };
}
