import type { Server } from 'node:http';
import { GroveError } from '@grove/core';
import { rawAnswer } from './raw-answer.ts';

const CONNECT = { path: 'This server', method: 'CONNECT', allowed: 'GET, HEAD, POST, PUT, PATCH, DELETE' };

/** Answers what Node keeps from the application: tunnels, which are refused, and expectations, which play no part. */
export function answerOddRequests(server: Server): void {
  // Node hands the connection over and forgets it.
  server.on('connect', (_, socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(rawAnswer(new GroveError('method_refused', CONNECT)).text, () => socket.destroy());
  });
  // RFC 9110 section 10.1.1 allows to pass over what is not "100-continue".
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
