import { STATUS_CODES } from 'node:http';
import { type GroveError, randomId } from '@grove/core';
import { toErrorPayload } from '@grove/service';
import { PROBLEM_TYPE, problemOf } from './problem.ts';
import { REPLY_HEADERS } from './reply-headers.ts';

/**
 * A whole response with problem details, for a connection that no request could be read from; it announces the end
 * of the connection.
 */
export function rawAnswer(error: GroveError): { readonly text: string; readonly requestId: string } {
  const requestId = randomId();
  const body = JSON.stringify(problemOf(toErrorPayload(error), error.status, requestId));
  const head = {
    'content-type': PROBLEM_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
    date: new Date().toUTCString(),
    'x-request-id': requestId,
    ...REPLY_HEADERS,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`;
  return { text: `${status}\r\n${lines.join('')}\r\n${body}`, requestId };
}
