import { isGroveError } from '@grove/core';
import { toErrorPayload } from '@grove/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { challengeOf } from '../http/challenge.ts';
import { PROBLEM_TYPE, problemOf } from '../http/problem.ts';
import { requestError } from '../http/request-error.ts';
import { reportFault } from '../report-fault.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** How it ended: `ok`, or the code of the error that it was answered with. */
    outcome: string;
  }
}

interface ErrorsOptions {
  readonly maxBodyBytes: number;
}

/** Every failure becomes problem details; one that is Grove's own fault is logged and tells nothing of itself. */
export const errors = fastifyPlugin<ErrorsOptions>(
  async (app, { maxBodyBytes }) => {
    app.decorateRequest('outcome', 'ok');
    app.setErrorHandler(async (error, request, reply) => {
      await sendProblem(requestError(error, request, maxBodyBytes), request, reply);
    });
  },
  { name: 'errors', fastify: '5.x' },
);

/** Answers with problem details. */
export async function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const status = isGroveError(error) ? error.status : 500;
  const payload = toErrorPayload(error, reportFault(request.log, 'a request failed'));
  request.outcome = payload.code;
  const challenge = challengeOf(error);
  if (challenge !== null) reply.header('www-authenticate', challenge);
  await reply
    .code(status)
    .header('cache-control', 'no-store')
    .type(PROBLEM_TYPE)
    .send(Buffer.from(JSON.stringify(problemOf(payload, status, request.id))));
}
