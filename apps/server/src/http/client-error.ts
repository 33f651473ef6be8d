import type { Socket } from 'node:net';
import { errorCode, GroveError } from '@grove/core';
import type { Log } from '../log.ts';
import type { Connections } from './connections.ts';
import { rawAnswer } from './raw-answer.ts';

/** First byte of a TLS handshake (RFC 8446 section 5.1). */
const TLS_HANDSHAKE = 0x16;

/** Answers what Node could not read as a request, and ends the connection. */
export function answerClientError(error: Error, socket: Socket, connections: Connections, log: Log): void {
  // The client has gone: there is nobody to answer.
  if (errorCode(error) === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const pending = connections.pending(socket);
  const [current] = pending;
  const isOfCurrent = pending.length === 1 && current?.req.complete === false && !current.headersSent;
  if (current !== undefined && !isOfCurrent) {
    // An answer to an earlier request is under way; words in between would be taken for a part of it.
    connections.endAfterAnswers(socket);
    return;
  }
  const { text, requestId } = rawAnswer(refusalOf(error));
  log.debug({ reqId: requestId, code: errorCode(error) }, 'a request could not be parsed');
  socket.write(text);
  socket.destroySoon();
}

function refusalOf(error: Error): GroveError {
  switch (errorCode(error)) {
    case 'HPE_HEADER_OVERFLOW':
      return new GroveError('headers_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new GroveError('request_timeout');
    default:
      return new GroveError('bad_request', {
        reason: isTls(error) ? 'it is TLS, and this port speaks plain HTTP' : 'it cannot be parsed',
      });
  }
}

function isTls(error: Error): boolean {
  return 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) && error.rawPacket[0] === TLS_HANDSHAKE;
}
