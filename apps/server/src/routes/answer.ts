import { type AnyOperation, type Operation, type Scope, vaultStatus } from '@grove/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { noted } from '../plugins/audit.ts';
import { callerOf } from '../plugins/auth.ts';
import { operationsIn } from '../plugins/limits/operations-in.ts';
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
  const output = await runCall(request, operation, { raw, input: operation.parse(raw) });
  return sendPrivate(reply, form, form === 'json' ? output : operation.present(output));
}

/** What a request asks of an operation. */
interface Question<Input> {
  /** As it came. */
  readonly raw: unknown;
  readonly input: Input;
}

/**
 * Runs an operation for the caller of a request, within its limits and noted for the audit, once there is an index to search
 * or patience has ended.
 *
 * @param run what is run in the operation's place, where REST answers more than MCP
 * @throws GroveError `rate_limited`, and what the operation throws
 */
export async function runCall<Input, Output>(
  request: FastifyRequest,
  operation: Operation<Input, Output>,
  { raw, input }: Question<Input>,
  run: (scope: Scope, input: Input) => Promise<Output> = operation.run,
): Promise<Output> {
  await request.admit(operation.hints.readOnlyHint ? 'read' : 'write', operationsIn(input));
  return await noted(request, { operation: operation.name, input: raw }, async () => {
    // What state the index is in can be told before it is ready.
    if (operation.name !== vaultStatus.name) await request.indexed();
    return await run(callerOf(request).scope, input);
  });
}

/** Sends an answer of one caller's View. */
export function sendPrivate(reply: FastifyReply, form: AnswerForm, answer: unknown): FastifyReply {
  return reply.headers(PRIVATE).type(MEDIA_TYPES[form]).send(answer);
}

/** Confirms the representation that the client holds. */
export function sendUnchanged(reply: FastifyReply): FastifyReply {
  return reply.code(304).headers(PRIVATE).send();
}
