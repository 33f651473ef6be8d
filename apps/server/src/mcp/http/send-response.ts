import type { FastifyReply } from 'fastify';
import { eventStream } from './event-stream.ts';

const EVENT_STREAM = 'text/event-stream';

/**
 * Sends an answer of the SDK. One that is complete goes out in one piece.
 *
 * @param kind whether events are told one after the other, from now on, or a call is answered
 * @param over aborts when the client has gone
 * @returns false when the exchange ended before there was anything to send
 */
export async function sendResponse(
  reply: FastifyReply,
  response: Response,
  kind: 'call' | 'stream',
  over: AbortSignal,
): Promise<boolean> {
  const { status, headers, body } = response;
  // The SDK's word for a client that has gone, or an exchange that was ended.
  if (status === 499) return false;
  if (body === null) {
    await withHeaders(reply, response).send();
    return true;
  }
  if (headers.get('content-type') !== EVENT_STREAM) {
    const bytes = Buffer.from(await response.arrayBuffer());
    await withHeaders(reply, response).send(bytes);
    return true;
  }
  const chunks = (body as ReadableStream<Uint8Array>).getReader();
  if (kind === 'stream') {
    await withHeaders(reply, response).send(eventStream(chunks));
    return true;
  }
  // A source that has failed is told of by the read.
  over.addEventListener('abort', () => void chunks.cancel().catch(() => {}));
  const first = await chunks.read();
  if (first.done) return false;
  const second = chunks.read();
  // What ended with its first event has ended by now.
  const next = await Promise.race([second, nextTurn()]);
  const whole = next?.done === true ? Buffer.from(first.value) : null;
  await withHeaders(reply, response).send(whole ?? eventStream(chunks, first.value, second));
  return true;
}

function withHeaders(reply: FastifyReply, { status, headers }: Response): FastifyReply {
  reply.code(status).header('cache-control', 'no-store');
  // How long the connection stays is between Node and the client.
  for (const [name, value] of headers) if (name !== 'connection') reply.header(name, value);
  return reply;
}

function nextTurn(): Promise<null> {
  return new Promise((resolve) => setImmediate(resolve, null));
}
