import { once } from 'node:events';
import { statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '@grove/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { NO_LIMITS } from '../rule-sources.ts';
import { type Garden, openGarden } from '../testing/open-garden.ts';
import { findOwner } from './find-owner.ts';
import { type HttpAddress, LOCAL_PROTOCOL, MAX_GREETING_BYTES } from './greeting.ts';
import { askOwner, callOwner, OwnerError, reindexOwner, requestHandOver } from './owner-client.ts';
import { type OwnerServer, serveOwner } from './owner-server.ts';
import { socketAddress } from './run-folder.ts';

let garden: Garden;
let http: HttpAddress | null = null;
let server: OwnerServer;
beforeAll(async () => {
  garden = await openGarden();
  server = await serveOwner({
    opened: garden.opened,
    address: socketAddress(garden.root, { dataDir: garden.dataDir, runtimeDir: null }),
    kind: 'server',
    version: '1.2.3',
    http: () => http,
    handOver: null,
    log: createLog('silent'),
  });
});
afterAll(async () => {
  await server.close();
  await garden.close();
});

/** Sends bytes as they are; resolves with everything that comes until the other end closes. */
async function send(bytes: string | Buffer): Promise<string> {
  const socket: Socket = connect(server.address);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('utf8');
}

describe('the owner on its socket', () => {
  it('lets in nobody but its user', () => {
    expect(statSync(server.address).isSocket()).toBe(true);
    expect(statSync(server.address.slice(0, server.address.lastIndexOf('/'))).mode & 0o777).toBe(0o700);
  });

  it('says who it is', async () => {
    expect(await askOwner(server.address)).toEqual({
      protocol: LOCAL_PROTOCOL,
      kind: 'server',
      pid: process.pid,
      version: '1.2.3',
      http: null,
    });
    expect(await askOwner(`${server.address}.gone`)).toBeNull();
  });

  it('says where it serves HTTP, and is found by its vault without a lock', async () => {
    http = { url: 'http://127.0.0.1:8420', publicUrl: 'https://notes.example.org' };
    const where = { dataDir: garden.dataDir, runtimeDir: null };
    expect(await findOwner(garden.root, where)).toMatchObject({ pid: process.pid, http });
    http = null;
    expect(await findOwner(garden.root, where)).toMatchObject({ http: null });
    expect(await findOwner(join(garden.root, 'none'), where)).toBeNull();
    expect(
      await findOwner(garden.root, { dataDir: join(garden.dataDir, 'none'), runtimeDir: null }),
    ).toBeNull();
  });

  it('lets read when the index could not be built', async () => {
    const ready = Promise.reject(new Error('no space left'));
    ready.catch(() => {});
    const broken = await serveOwner({
      opened: { ...garden.opened, ready },
      address: join(temporaryFolder('broken'), 'owner.sock'),
      kind: 'server',
      version: '1.2.3',
      handOver: null,
      log: createLog('silent'),
    });
    try {
      const call = { operation: 'get', input: { path: 'Compost' }, rules: NO_LIMITS };
      const answer = await callOwner(broken.address, call);
      expect(answer?.output).toMatchObject({ path: 'Compost.md' });
    } finally {
      await broken.close();
    }
  });

  it('runs a call within the limits of who calls', async () => {
    const call = { operation: 'query', input: { query: 'xylophone' } };
    const free = await callOwner(server.address, { ...call, rules: NO_LIMITS });
    expect(free?.output).toMatchObject({ hits: [{ path: 'Private/Diary.md' }] });
    const limited = await callOwner(server.address, {
      ...call,
      rules: { ...NO_LIMITS, denyPaths: ['private'] },
    });
    expect(limited?.output).toMatchObject({ hits: [] });
  });

  it.each([
    [{ operation: 'query', input: { querry: 'x' }, rules: NO_LIMITS }, 'unknown_parameter'],
    [{ operation: 'no_such', input: {}, rules: NO_LIMITS }, 'bad_input'],
    [
      { operation: 'query', input: { query: 'x' }, rules: { ...NO_LIMITS, readPaths: ['../..'] } },
      'bad_rule',
    ],
  ])('refuses %j with %s', async (call, code) => {
    const refused = await callOwner(server.address, call).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OwnerError);
    expect(refused).toMatchObject({ code, hint: expect.stringMatching(/\S/) });
  });

  it('rebuilds the index and tells how far it is', async () => {
    const phases: string[] = [];
    const answer = await reindexOwner(server.address, ({ phase }) => phases.push(phase));
    expect(answer?.output).toEqual({ notes: 4 });
    expect(phases).toContain('index');
  });

  it('does not give the vault away when it is a server', async () => {
    await expect(requestHandOver(server.address)).rejects.toMatchObject({ code: 'vault_owned' });
    expect(await askOwner(server.address)).not.toBeNull();
  });

  it.each([
    ['no JSON', 'hello\n'],
    ['another protocol', `${JSON.stringify({ protocol: 99, mode: 'owner' })}\n`],
    ['an unknown mode', `${JSON.stringify({ protocol: LOCAL_PROTOCOL, mode: 'shell' })}\n`],
    ['rules of the wrong kind', `${JSON.stringify({ protocol: LOCAL_PROTOCOL, mode: 'mcp', rules: [] })}\n`],
    ['a first line without end', Buffer.alloc(MAX_GREETING_BYTES + 2, 'x')],
  ])('refuses %s and closes', async (_, bytes) => {
    expect(JSON.parse(await send(bytes))).toMatchObject({ error: { code: 'bad_input' } });
    expect(await askOwner(server.address)).not.toBeNull();
  });

  it('speaks MCP after the greeting, also when both come in one piece', async () => {
    const socket = connect(server.address);
    const received: string[] = [];
    const answered = new Promise<void>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        received.push(...chunk.toString().trim().split('\n'));
        if (received.length >= 3) resolve();
      });
    });
    const greeting = { protocol: LOCAL_PROTOCOL, mode: 'mcp', rules: NO_LIMITS };
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    socket.write(`${JSON.stringify(greeting)}\n${JSON.stringify(initialize)}\n{"jsonrpc":\n`);
    await answered;
    const messages = received.map((line) => JSON.parse(line));
    expect(messages[0]).toMatchObject({ owner: { pid: process.pid } });
    expect(messages.find(({ id }) => id === 1)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    expect(messages.find(({ error }) => error !== undefined)).toMatchObject({ error: { code: -32700 } });
    socket.destroy();
  });
});
