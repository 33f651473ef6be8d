import { type AnyOperation, type Scope, vaultStatus } from '@grove/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../plugins/auth.ts';
import { type AnswerForm, formOf, MEDIA_TYPES } from './forms.ts';

/** The forms of every answer of a vault. */
export const FORMS = ['json', 'markdown'] as const;

/** What an answer depends on: a cache must not give one caller's to another. */
const PRIVATE = { 'cache-control': 'private, no-cache', vary: 'Accept, Authorization' } as const;

/**
 * Answers a request with what an operation makes of `raw`: its output as JSON, or its text as Markdown, as the Accept
 * header prefers.
 *
 * @throws GroveError `not_acceptable`, and what the operation throws
 */
export async function answerWith(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: AnyOperation,
  raw: unknown,
): Promise<FastifyReply> {
  const form = formOf(request, FORMS);
  const input = operation.parse(raw);
  // What state the index is in can be told before it is ready.
  const scope = operation === vaultStatus ? callerOf(request).scope : await scopeOf(request);
  const output = await operation.run(scope, input);
  return sendPrivate(reply, form, form === 'json' ? output : operation.present(output));
}

/** What the operations of a request may reach, once there is an index to search or patience has ended. */
export async function scopeOf(request: FastifyRequest): Promise<Scope> {
  await request.indexed();
  return callerOf(request).scope;
}

/** Sends an answer of one caller's View. */
export function sendPrivate(reply: FastifyReply, form: AnswerForm, answer: unknown): FastifyReply {
  return reply.headers(PRIVATE).type(MEDIA_TYPES[form]).send(answer);
}

/** Confirms the representation that the client holds. */
export function sendUnchanged(reply: FastifyReply): FastifyReply {
  return reply.code(304).headers(PRIVATE).send();
}
