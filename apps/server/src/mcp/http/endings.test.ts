import { setTimeout as sleep } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import { type AppOptions, DEFAULT_LIMITS } from '../../http/options.ts';
import { type ServedGarden, serveGarden } from '../../testing/serve-garden.ts';
import type { McpServerFactory } from '../factory.ts';
import { EventReader } from '../testing/event-reader.ts';
import { legacy, legacyCall, modern, RawMcp } from '../testing/raw-mcp.ts';

const gardens: ServedGarden[] = [];
afterEach(async () => {
  for (const garden of gardens.splice(0)) await garden.close();
});

async function serve(options: Partial<AppOptions> = {}): Promise<{ garden: ServedGarden; url: string }> {
  const garden = await serveGarden({}, options);
  gardens.push(garden);
  return { garden, url: `${await garden.listen()}/mcp` };
}

/** A server with one tool, which answers when it is let. */
function slowServer(): { createMcp: McpServerFactory; called: Promise<void>; finish: () => void } {
  const called = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  const createMcp: McpServerFactory = () => {
    const server = new McpServer(
      { name: 'slow', version: '1' },
      { capabilities: { tools: {}, resources: { listChanged: true } } },
    );
    server.registerTool('wait', {}, async () => {
      called.resolve();
      await finished.promise;
      return { content: [{ type: 'text', text: 'done' }] };
    });
    return server;
  };
  return { createMcp, called: called.promise, finish: finished.resolve };
}

const listen = modern('subscriptions/listen', { notifications: { resourcesListChanged: true } }, 'l');
const wait = modern('tools/call', { name: 'wait', arguments: {} });

/** A session with its stream open, and a stream of revision 2026-07-28. */
async function openStreams(mcp: RawMcp): Promise<{ session: string; streams: EventReader[] }> {
  const session = await mcp.session();
  const standing = await mcp.open(undefined, { method: 'GET', headers: { 'mcp-session-id': session } });
  const listening = await mcp.open(listen.body, { headers: listen.headers });
  expect([standing.status, listening.status]).toEqual([200, 200]);
  const streams = [standing, listening].map((response) => new EventReader(response));
  await streams[1]?.message(({ method }) => method === 'notifications/subscriptions/acknowledged');
  return { session, streams };
}

describe('a key that ends', () => {
  it.each(['revoke', 'rotate', 'remove'] as const)(
    'by %s ends its streams and its session, and answers 401 from then on',
    async (how) => {
      const { garden, url } = await serve();
      const { keys } = garden.control;
      const { key, token } = keys.create({ name: 'ending', vault: 'garden' });
      const [mcp, other] = [new RawMcp(url, token), new RawMcp(url, garden.key())];
      const { session, streams } = await openStreams(mcp);
      const theirs = await openStreams(other);
      const next = keys[how](key.id);
      expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual([null, null]);
      const headers = { 'mcp-session-id': session };
      const refused = await mcp.send(legacy('ping'), { headers });
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toContain('invalid_token');
      expect(refused.messages).toMatchObject([{ error: { data: { code: 'key_invalid' } } }]);
      // The streams of another key go on.
      expect(await Promise.race([...theirs.streams.map(({ ended }) => ended), sleep(50, 'open')])).toBe(
        'open',
      );
      if (how !== 'rotate' || next === undefined) return;
      const renewed = new RawMcp(url, (next as { token: string }).token);
      expect((await renewed.send(legacy('ping'), { headers })).status).toBe(404);
      expect((await renewed.send(legacy('ping'))).status).toBe(200);
    },
  );

  it('by its time ends its streams', async () => {
    const { garden, url } = await serve();
    const { token } = garden.control.keys.create({
      name: 'short',
      vault: 'garden',
      expiresAt: Date.now() + 1_000,
    });
    const mcp = new RawMcp(url, token);
    const { streams } = await openStreams(mcp);
    expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual([null, null]);
    expect((await mcp.send(legacy('ping'))).status).toBe(401);
  });

  it.each([
    ['2026-07-28', wait],
    ['2025-11-25', { body: legacyCall('wait'), headers: {} }],
  ])('is answered 401 also for what it is waiting for, in revision %s', async (_, { body, headers }) => {
    const { createMcp, called, finish } = slowServer();
    const { garden, url } = await serve({ createMcp });
    const { key, token } = garden.control.keys.create({ name: 'waiting', vault: 'garden' });
    const answer = new RawMcp(url, token).send(body, { headers });
    await called;
    garden.control.keys.revoke(key.id);
    const { status, text } = await answer;
    expect([status, text]).toEqual([401, expect.not.stringContaining('done')]);
    finish();
  });
});

describe('a server that stops', () => {
  it('ends its streams in order: each client sees the end of its stream', async () => {
    const { garden, url } = await serve();
    const mcp = new RawMcp(url, garden.key());
    const { streams } = await openStreams(mcp);
    await garden.app.close();
    expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual([null, null]);
    // Revision 2026-07-28 ends a stream with the result of the request that opened it.
    expect(streams[1]?.messages.at(-1)).toMatchObject({ id: 'l', result: { resultType: 'complete' } });
  });

  it.each([
    ['2026-07-28', wait],
    ['2025-11-25', { body: legacyCall('wait'), headers: {} }],
  ])('tells the client of a call that does not end, in revision %s', async (_, { body, headers }) => {
    const { createMcp, called } = slowServer();
    const { garden, url } = await serve({ createMcp, limits: { ...DEFAULT_LIMITS, drainMs: 1_000 } });
    const mcp = new RawMcp(url, garden.key());
    const running = mcp.send(body, { headers });
    const { streams } = await openStreams(mcp);
    await called;
    const closing = garden.app.close();
    // The streams do not wait for the call.
    const first = await Promise.race([running, Promise.all(streams.map(({ ended }) => ended))]);
    expect(first).toEqual([null, null]);
    expect(await running).toMatchObject({
      status: 503,
      messages: [{ error: { data: { code: 'stopping' } } }],
    });
    await closing;
  });

  it.each([
    ['2026-07-28', wait],
    ['2025-11-25', { body: legacyCall('wait'), headers: {} }],
  ])('answers what it was asked before, and nothing new, in revision %s', async (_, { body, headers }) => {
    const { createMcp, called, finish } = slowServer();
    const { garden, url } = await serve({ createMcp });
    const mcp = new RawMcp(url, garden.key());
    const running = mcp.send(body, { headers });
    await called;
    const closing = garden.app.close();
    const refused = { status: 503, messages: [{ error: { data: { code: 'stopping' } } }] };
    await expect.poll(async () => await mcp.send(legacy('ping'))).toMatchObject(refused);
    finish();
    const answer = await running;
    expect(answer.status).toBe(200);
    expect(answer.messages[0]?.result.content[0].text).toBe('done');
    await closing;
  });
});
