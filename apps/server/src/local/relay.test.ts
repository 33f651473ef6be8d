import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { temporaryFolder } from '@grove/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { MAX_LINE_BYTES } from './lines.ts';
import { type Relay, startRelay } from './relay.ts';
import { socketUpstream } from './session-upstream.ts';

const log = createLog('silent');
let folder: string;
beforeEach(() => {
  folder = temporaryFolder('relay');
});

interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: { readonly name?: string };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A socket on which the test plays one owner after the other: each accepts a session and answers by `script`. */
async function owners(scripts: readonly ((message: Message, socket: Socket) => void)[]) {
  const address = join(folder, 'owner.sock');
  const seen: Message[][] = [];
  const server = createServer((socket) => {
    const mine: Message[] = [];
    const script = scripts[seen.length];
    seen.push(mine);
    let rest = '';
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const message = JSON.parse(line) as Message;
        mine.push(message);
        script?.(message, socket);
      }
    });
  });
  server.listen(address);
  await once(server, 'listening');
  return { address, seen, close: () => server.close() };
}

const answer = (message: Message, socket: Socket): void => {
  if (message.id !== undefined)
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { to: message.method } })}\n`);
};

function session(address: string, hopeless = false) {
  const input = new PassThrough();
  const output = new PassThrough();
  const received: Message[] = [];
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    received.push(...lines.map((line) => JSON.parse(line) as Message));
  });
  let connected = 0;
  const relay: Relay = startRelay({
    input,
    output,
    log,
    repeatable: ({ method, params }) => method !== 'tools/call' || params?.name !== 'write_note',
    connect: async (events) => {
      connected += 1;
      if (hopeless && connected > 1) throw new Error('nobody');
      const socket = connect(address);
      await once(socket, 'connect');
      return socketUpstream(socket, Buffer.alloc(0), events, log, address);
    },
  });
  const send = (message: Record<string, unknown>): void => {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const until = async (count: number): Promise<void> => {
    while (received.length < count) await once(output, 'data');
  };
  return { relay, input, received, send, until };
}

describe('a session over changing owners', () => {
  it('sends reads again, answers a write with an unknown outcome, and each only once', async () => {
    const dying = (message: Message, socket: Socket): void => {
      if (message.id === 0) answer(message, socket);
      if (message.id === 3) socket.destroy();
    };
    const { address, seen, close } = await owners([dying, answer]);
    const { relay, send, until, received } = session(address);
    send({ id: 0, method: 'initialize', params: {} });
    await until(1);
    send({ method: 'notifications/initialized' });
    send({ id: 1, method: 'tools/call', params: { name: 'query' } });
    send({ id: 2, method: 'tools/call', params: { name: 'write_note' } });
    send({ id: 3, method: 'resources/list' });
    await until(4);
    expect(received.map(({ id }) => id)).toEqual([0, 2, 1, 3]);
    expect(received[1]?.error).toMatchObject({ code: -32603, message: expect.stringContaining('unknown') });
    expect(seen[1]?.map(({ method }) => method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      'resources/list',
    ]);
    expect(seen[1]?.filter(({ params }) => params?.name === 'write_note')).toEqual([]);
    await relay.close();
    close();
  });

  it('keeps what comes while no owner is there, in order', async () => {
    const { address, seen, close } = await owners([(_, socket) => socket.destroy(), answer]);
    const { relay, send, until, received } = session(address);
    for (const id of [1, 2, 3, 4, 5]) send({ id, method: 'tools/list' });
    await until(5);
    expect(received.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    expect(seen[1]?.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    await relay.close();
    close();
  });

  it('answers everything and gives up when no owner can be had', async () => {
    const { address, close } = await owners([(_, socket) => socket.destroy()]);
    const { relay, send, received } = session(address, true);
    const ended = expect(relay.done).rejects.toThrow('nobody');
    send({ id: 1, method: 'tools/list' });
    send({ id: 2, method: 'tools/list' });
    await ended;
    expect(received.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, -32603],
      [2, -32603],
    ]);
    close();
  });

  it('gives up on owners that all end without an answer', async () => {
    const { address, seen, close } = await owners(
      Array(20).fill((_: Message, socket: Socket) => socket.destroy()),
    );
    const { relay, send, received } = session(address);
    const ended = expect(relay.done).rejects.toThrow('again and again');
    send({ id: 1, method: 'tools/list' });
    await ended;
    expect(received).toMatchObject([{ id: 1, error: { code: -32603 } }]);
    expect(seen.length).toBeLessThan(10);
    close();
  });
});

describe('the end of a session', () => {
  it('comes after the last answer when the client closed its end, a last line without a break included', async () => {
    const { address, close } = await owners([
      (message, socket) => setTimeout(() => answer(message, socket), 50),
    ]);
    const { relay, input, received } = session(address);
    input.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
    await relay.done;
    expect(received).toMatchObject([{ id: 1 }]);
    close();
  });

  it('comes when a line is too long, which is said', async () => {
    const { address, close } = await owners([answer]);
    const { relay, input, received } = session(address);
    const ended = expect(relay.done).rejects.toMatchObject({ code: 'bad_input' });
    input.write(Buffer.alloc(MAX_LINE_BYTES + 1, 'x'));
    await ended;
    expect(received).toMatchObject([{ id: null, error: { code: -32600 } }]);
    close();
  });
});
