import { parseTrailRules } from '@grove/trails';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, type HttpLimits } from '../../http/options.ts';
import { restartableServer } from '../../testing/restartable-server.ts';
import { serveGarden } from '../../testing/serve-garden.ts';
import { EventReader } from '../testing/event-reader.ts';
import { initialize, legacy, legacyCall, modern, RawMcp } from '../testing/raw-mcp.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function serve(limits: Partial<HttpLimits> = {}) {
  let now = Date.now();
  const garden = await serveGarden(
    {},
    { limits: { ...DEFAULT_LIMITS, ...limits }, clock: { now: () => now } },
  );
  opened.push(garden);
  const url = await garden.listen();
  return {
    garden,
    raw: (token = garden.key(), query = '') => new RawMcp(`${url}/mcp${query}`, token),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

const within = (session: string) => ({ headers: { 'mcp-session-id': session } });

describe('a session', () => {
  it('answers under its id, until it is deleted; then 404 says to begin anew', async () => {
    const mcp = (await serve()).raw();
    const session = await mcp.session();
    const answer = await mcp.send(legacy('ping'), within(session));
    expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([200, session]);
    expect((await mcp.send(undefined, { ...within(session), method: 'DELETE' })).status).toBe(200);
    for (const method of ['POST', 'GET', 'DELETE']) {
      const gone = await mcp.send(method === 'POST' ? legacy('ping') : undefined, {
        ...within(session),
        method,
      });
      expect(gone.status).toBe(404);
      expect(gone.messages).toMatchObject([{ error: { code: -32_001 } }]);
    }
  });

  it('ends when nobody used it for a time, and an open stream is use', async () => {
    const { raw, pass } = await serve({ sessionIdleMs: 60_000 });
    const mcp = raw();
    const [idle, used, open] = [await mcp.session(), await mcp.session(), await mcp.session()];
    const stream = new AbortController();
    const response = await mcp.open(undefined, { ...within(open), method: 'GET', signal: stream.signal });
    expect(response.status).toBe(200);
    pass(40_000);
    await mcp.send(legacy('ping'), within(used));
    pass(40_000);
    const states = [];
    for (const id of [idle, used, open]) states.push((await mcp.send(legacy('ping'), within(id))).status);
    expect(states).toEqual([404, 200, 200]);
    stream.abort();
  });

  it('makes room for a new one when it is the one of its key that was idle longest', async () => {
    const { raw, pass } = await serve({ maxSessionsPerKey: 3 });
    const [mcp, other] = [raw(), raw()];
    const theirs = await other.session();
    const ids = [];
    for (let made = 0; made < 3; made += 1) {
      ids.push(await mcp.session());
      pass(1_000);
    }
    await mcp.send(legacy('ping'), within(ids[0] ?? ''));
    pass(1_000);
    ids.push(await mcp.session());
    const states = [];
    for (const id of ids) states.push((await mcp.send(legacy('ping'), within(id))).status);
    expect(states).toEqual([200, 404, 200, 200]);
    expect((await other.send(legacy('ping'), within(theirs))).headers.get('mcp-session-id')).toBe(theirs);
  });

  it('counts with those of all tokens of its trail, and so does its stream', async () => {
    const { garden, raw, pass } = await serve({ maxSessionsPerKey: 2, maxStreamsPerKey: 1 });
    const rules = parseTrailRules({ allowPaths: ['**'] });
    const { trail, token } = garden.control.trails.create({ name: 'Club', vault: garden.opened.slug, rules });
    const [one, other] = [raw(token), raw(garden.control.trails.newToken(trail.id).token)];
    const first = await one.session();
    pass(1_000);
    const [second, third] = [await other.session(), await other.session()];
    const states = [];
    for (const [mcp, id] of [
      [one, first],
      [other, second],
      [other, third],
    ] as const)
      states.push((await mcp.send(legacy('ping'), within(id))).status);
    expect(states).toEqual([404, 200, 200]);
    const stream = new AbortController();
    const open = async (mcp: RawMcp, session: string) =>
      (await mcp.open(undefined, { ...within(session), method: 'GET', signal: stream.signal })).status;
    expect(await open(other, second)).toBe(200);
    expect(await open(one, await one.session())).toBe(429);
    const owner = raw();
    expect(await open(owner, await owner.session())).toBe(200);
    stream.abort();
  });

  it('makes room when there are too many of all keys', async () => {
    const { raw, pass } = await serve({ maxSessions: 2 });
    const [one, other] = [raw(), raw()];
    const first = await one.session();
    pass(1_000);
    const second = await other.session();
    await other.session();
    expect((await one.send(legacy('ping'), within(first))).status).toBe(404);
    expect((await other.send(legacy('ping'), within(second))).status).toBe(200);
  });

  it('is to another key what an unknown id is, alive and ended', async () => {
    const { raw } = await serve();
    const [mine, other] = [raw(), raw()];
    const session = await mine.session();
    const unknown = await other.send(legacy('tools/list'), within('unknown-id'));
    const foreign = await other.send(legacy('tools/list'), within(session));
    expect(foreign).toMatchObject({ status: unknown.status, text: unknown.text });
    expect(foreign.headers.get('mcp-session-id')).toBeNull();
    expect((await other.send(undefined, { ...within(session), method: 'DELETE' })).status).toBe(405);
    expect((await other.send(undefined, { ...within(session), method: 'GET' })).status).toBe(405);
    expect((await mine.send(legacy('ping'), within(session))).status).toBe(200);
    await mine.send(undefined, { ...within(session), method: 'DELETE' });
    expect((await other.send(legacy('tools/list'), within(session))).status).toBe(200);
  });

  it('of one profile is none of the other', async () => {
    const { garden, raw } = await serve();
    const token = garden.key();
    const session = await raw(token).session();
    const { messages } = await raw(token, '?profile=search').send(legacy('tools/list'), within(session));
    expect(messages[0]?.result.tools.map(({ name }: { name: string }) => name)).toEqual(['search', 'fetch']);
  });

  it('has one stream, and a key has no more streams than it may', async () => {
    const { raw } = await serve({ maxStreamsPerKey: 2 });
    const mcp = raw();
    const stream = new AbortController();
    const open = async (session: string) =>
      await mcp.open(undefined, { ...within(session), method: 'GET', signal: stream.signal });
    const [first, second, third] = [await mcp.session(), await mcp.session(), await mcp.session()];
    expect((await open(first)).status).toBe(200);
    const again = await open(first);
    expect(again.status).toBe(409);
    await again.text();
    expect((await open(second)).status).toBe(200);
    const refused = await open(third);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: { code: -32_000, data: { code: 'streams_full' } } });
    const { body, headers } = modern(
      'subscriptions/listen',
      { notifications: { resourcesListChanged: true } },
      9,
    );
    expect(await mcp.send(body, { headers })).toMatchObject({
      status: 200,
      messages: [{ id: 9, error: { code: -32_603, data: { code: 'streams_full' } } }],
    });
    expect((await raw().send(legacy('ping'))).status).toBe(200);
    stream.abort();
    await expect
      .poll(async () => (await mcp.open(undefined, { ...within(third), method: 'GET' })).status)
      .toBe(200);
  });

  it('refuses an id that it is still answering, and frees it afterwards', async () => {
    const mcp = (await serve()).raw();
    const session = await mcp.session();
    const calls = Array.from({ length: 8 }, () =>
      mcp.send(legacyCall('query', { query: 'compost' }, 'same'), within(session)),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    for (const { status, messages } of answers) {
      expect([200, 400]).toContain(status);
      expect(messages[0]?.id).toBe('same');
    }
    expect((await mcp.send(legacyCall('query', { query: 'compost' }, 'same'), within(session))).status).toBe(
      200,
    );
  });
});

describe('clients that had a session before the server was restarted', () => {
  it('are answered on their next call, under their old id', async () => {
    const server = await restartableServer({});
    opened.push(server);
    const mcp = new RawMcp(`${server.url}/mcp`, server.token);
    // A connection that is kept would end with the first server.
    const connection = 'close';
    const begun = await mcp.send(initialize({ elicitation: {} }), { headers: { connection } });
    const session = begun.headers.get('mcp-session-id') ?? '';
    const live = { headers: { 'mcp-session-id': session, connection } };
    expect((await mcp.send(legacy('ping'), live)).status).toBe(200);
    await server.restart();
    const { status, messages } = await mcp.send(
      legacyCall('query', { query: 'compost' }, 7),
      within(session),
    );
    expect(status).toBe(200);
    expect(messages[0]).toMatchObject({
      id: 7,
      result: { structuredContent: { hits: [{ path: 'Compost.md' }, {}] } },
    });
  });
});

describe('parallel sessions', () => {
  it('each get their own replies and only theirs, whatever order they come in', async () => {
    const mcp = (await serve()).raw();
    const sessions = await Promise.all(Array.from({ length: 5 }, () => mcp.session()));
    const readers = await Promise.all(
      sessions.map(
        async (id) => new EventReader(await mcp.open(undefined, { ...within(id), method: 'GET' })),
      ),
    );
    const names = ['Compost', 'Tomatoes', 'Private/Diary', 'Broken', 'Nothing'];
    const rounds = Array.from({ length: 6 }, (_, round) => round);
    const calls = rounds.flatMap((round) =>
      sessions.map(async (id, at) => {
        const { messages, headers } = await mcp.send(
          legacyCall('get', { path: `${names[at]}.md` }, round),
          within(id),
        );
        expect(headers.get('mcp-session-id')).toBe(id);
        expect(messages).toHaveLength(1);
        expect(messages[0]?.id).toBe(round);
        expect(JSON.stringify(messages[0]?.result)).toContain(`${names[at]}.md`);
      }),
    );
    await Promise.all(calls);
    expect(calls).toHaveLength(30);
    for (const reader of readers) expect(reader.messages).toEqual([]);
  });
});
