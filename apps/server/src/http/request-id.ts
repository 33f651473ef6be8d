import type { IncomingMessage } from 'node:http';
import { randomId } from '@grove/core';
import { withoutSecrets } from '../log.ts';

const HEADER = 'x-request-id';
const USABLE = /^[\w.:-]{1,64}$/;

/**
 * The id that a client or a proxy gave the request, when it can stand in a log, else a new one. Whoever gives ids that
 * others have only makes the own lines harder to find: each line of an answer names its key.
 */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers[HEADER];
  const isUsable = typeof given === 'string' && USABLE.test(given) && withoutSecrets(given) === given;
  return isUsable ? given : randomId();
}
