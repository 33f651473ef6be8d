import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { eventStream } from './event-stream.ts';

/** A source of chunks, and what has become of it. */
function source() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const cancelled = Promise.withResolvers<void>();
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: () => cancelled.resolve(),
  });
  return { chunks: stream.getReader(), controller, cancelled: cancelled.promise };
}

describe('a stream of events', () => {
  it('begins with a comment, so that its headers go out, and ends with its source', async () => {
    const { chunks, controller } = source();
    const stream = eventStream(chunks);
    controller.enqueue(Buffer.from('data: 1\n\n'));
    controller.close();
    expect(Buffer.concat(await stream.toArray()).toString()).toBe(': open\n\ndata: 1\n\n');
  });

  it('ends its source when the client has gone', async () => {
    const { chunks, cancelled } = source();
    const stream = eventStream(chunks);
    stream.destroy();
    await cancelled;
    expect(stream.destroyed).toBe(true);
  });

  it('is cut when its client leaves too much unread, and its source with it', async () => {
    const { chunks, controller, cancelled } = source();
    const stream = eventStream(chunks);
    const failed = once(stream, 'error');
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    for (let sent = 0; sent < 12; sent += 1) controller.enqueue(chunk);
    const [error] = await failed;
    expect(String(error)).toContain('does not read');
    await cancelled;
    expect(stream.readableLength).toBeLessThanOrEqual(10 * chunk.length);
  });

  it('fails with its source', async () => {
    const { chunks, controller } = source();
    const stream = eventStream(chunks);
    controller.error(new Error('broken'));
    await expect(stream.toArray()).rejects.toThrow('broken');
  });
});
