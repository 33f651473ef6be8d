import { GroveError } from '@grove/core';
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** The form of an answer: JSON, or the Markdown that a person or a model reads. */
export type AnswerForm = 'json' | 'markdown';

/** Media types of the forms, as they are sent. */
export const MEDIA_TYPES: Readonly<Record<AnswerForm, string>> = {
  json: 'application/json; charset=utf-8',
  // RFC 7763: the charset is a required parameter.
  markdown: 'text/markdown; charset=utf-8',
};

/**
 * The form that the request's Accept header prefers among those offered; the first of them when it has none, or no
 * preference.
 *
 * @throws GroveError `not_acceptable`
 * @example formOf(request, ['json', 'markdown'])
 */
export function formOf(request: FastifyRequest, offered: readonly AnswerForm[]): AnswerForm {
  const [first = 'json'] = offered;
  const { accept } = request.headers;
  if (accept === undefined || accept === '*/*') return first;
  // A range with the parameter is matched by a type that has it, one without by either.
  const types = offered.flatMap((form) => [bare(MEDIA_TYPES[form]), MEDIA_TYPES[form]]);
  const chosen = new Negotiator(request).mediaType(types);
  const form = offered.find((candidate) => bare(MEDIA_TYPES[candidate]) === bare(chosen ?? ''));
  if (form !== undefined) return form;
  throw new GroveError('not_acceptable', {
    offered: offered.map((candidate) => bare(MEDIA_TYPES[candidate])).join(', '),
  });
}

function bare(type: string): string {
  return type.split(';', 1)[0] ?? '';
}
