import type { IncomingMessage } from 'node:http';
import { randomId } from '@grove/core';

const HEADER = 'x-request-id';
const USABLE = /^[\w.:-]{1,64}$/;

/** The id that a client or a proxy gave the request, when it can stand in a log, else a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers[HEADER];
  return typeof given === 'string' && USABLE.test(given) ? given : randomId();
}
