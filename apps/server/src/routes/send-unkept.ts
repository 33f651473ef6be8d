import type { FastifyReply } from 'fastify';
import { MEDIA_TYPES } from './forms.ts';

/** Sends an answer about who may call, which nobody keeps. */
export function sendUnkept(reply: FastifyReply, answer: unknown): FastifyReply {
  return reply.header('cache-control', 'no-store').type(MEDIA_TYPES.json).send(answer);
}
