import { Readable } from 'node:stream';

type Chunks = ReadableStreamDefaultReader<Uint8Array>;

/** Bytes that may wait for a client that does not read them. */
const MOST_WAITING = 8 * 1024 * 1024;
/** A comment (HTML Standard, section 9.2.6): something must be sent for the headers to go out. */
const OPENING = Buffer.from(': open\n\n');

/**
 * Server-sent events as a stream of Node. It reads ahead of the client, so that nothing that is told waits where it
 * cannot be counted; a client that leaves too much unread is cut off, and connects again.
 *
 * @param first what was read already
 * @param next the read that was begun after it
 */
export function eventStream(
  chunks: Chunks,
  first: Uint8Array = OPENING,
  next: ReturnType<Chunks['read']> = chunks.read(),
): Readable {
  const stream = new Readable({
    read: () => {},
    destroy: (error, done) => {
      chunks.cancel().then(
        () => done(error),
        () => done(error),
      );
    },
  });
  stream.push(first);
  void pump(chunks, next, stream);
  return stream;
}

async function pump(chunks: Chunks, next: ReturnType<Chunks['read']>, stream: Readable): Promise<void> {
  try {
    for (let read = await next; !read.done; read = await chunks.read()) {
      if (stream.destroyed) return;
      if (stream.readableLength > MOST_WAITING) throw new Error('the client does not read what it is sent');
      stream.push(read.value);
    }
    if (!stream.destroyed) stream.push(null);
  } catch (error) {
    stream.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}
