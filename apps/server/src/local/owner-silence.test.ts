import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { temporaryFolder } from '@grove/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { isSilent } from './owner-silence.ts';
import { startRelay } from './relay.ts';
import { socketUpstream } from './session-upstream.ts';

const log = createLog('silent');
let address: string;
const closers: (() => void)[] = [];
beforeEach(() => {
  address = join(temporaryFolder('silence'), 'owner.sock');
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function listen(onConnection: (socket: Socket) => void): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  server.listen(address);
  await once(server, 'listening');
}

describe('an owner', () => {
  it('that greets is not silent', async () => {
    await listen((socket) => socket.on('data', () => socket.write('{"owner":{}}\n')));
    expect(await isSilent(address, 10_000)).toBe(false);
  });

  it('that is gone, or ends the connection, is not silent', async () => {
    expect(await isSilent(address, 10_000)).toBe(false);
    await listen((socket) => socket.destroy());
    expect(await isSilent(address, 10_000)).toBe(false);
  });

  it('that listens and says nothing is silent', async () => {
    await listen(() => {});
    expect(await isSilent(address, 30)).toBe(true);
  });
});

describe('a session through an owner that is stuck', () => {
  /** The first connection is the session; all others are looks at the owner, which a stuck owner leaves alone. */
  async function stuckOwner(): Promise<{ readonly answer: (id: number) => void }> {
    let session: Socket | null = null;
    await listen((socket) => {
      session ??= socket;
      socket.resume();
    });
    return {
      answer: (id) =>
        void session?.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { late: true } })}\n`),
    };
  }

  function openSession() {
    const input = new PassThrough();
    const output = new PassThrough();
    const lines: { id: number; error?: { message: string }; result?: unknown }[] = [];
    let arrived = (): void => {};
    let rest = '';
    output.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts.map((line) => JSON.parse(line)));
      arrived();
    });
    const relay = startRelay({
      input,
      output,
      log,
      silenceMs: 20,
      repeatable: ({ params }) => params?.name !== 'write_note',
      connect: async (events) => {
        const socket = connect(address);
        await once(socket, 'connect');
        const upstream = socketUpstream(socket, Buffer.alloc(0), events, log, address);
        return { ...upstream, isSilent: () => isSilent(address, 30) };
      },
    });
    closers.push(() => void relay.close());
    return {
      lines,
      call: (id: number, name: string) =>
        input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })}\n`),
      until: async (count: number) => {
        while (lines.length < count)
          await new Promise<void>((resolve) => {
            arrived = resolve;
          });
      },
    };
  }

  it('answers what waits, says of a write that its outcome is unknown, and gives no second answer', async () => {
    const owner = await stuckOwner();
    const session = openSession();
    session.call(1, 'query');
    session.call(2, 'write_note');
    await session.until(2);
    expect(session.lines.map(({ id }) => id)).toEqual([1, 2]);
    expect(session.lines[0]?.error?.message).not.toContain('unknown');
    expect(session.lines[1]?.error?.message).toContain('unknown');
    // It goes on: what it says late was answered already, what is asked now is not.
    owner.answer(1);
    owner.answer(2);
    session.call(3, 'query');
    owner.answer(3);
    await session.until(3);
    expect(session.lines[2]).toMatchObject({ id: 3, result: { late: true } });
  });
});
