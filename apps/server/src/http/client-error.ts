import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorCode, GroveError, randomId } from '@grove/core';
import { toErrorPayload } from '@grove/service';
import { PROBLEM_TYPE, problemOf } from './problem.ts';

/** Answers what Node could not read as a request, and ends the connection. */
export function answerClientError(error: Error, socket: Socket): void {
  // The client has gone: there is nobody to answer.
  if (errorCode(error) === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = refusalOf(error);
  const body = JSON.stringify(problemOf(toErrorPayload(refusal), refusal.status, randomId()));
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\nContent-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function refusalOf(error: Error): GroveError {
  switch (errorCode(error)) {
    case 'HPE_HEADER_OVERFLOW':
      return new GroveError('headers_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new GroveError('request_timeout');
    default:
      return new GroveError('bad_request', { reason: 'it cannot be parsed' });
  }
}
