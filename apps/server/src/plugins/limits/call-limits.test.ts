import { parseTrailRules } from '@grove/trails';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CallLimits, NO_CALL_LIMITS } from '../../http/call-limit-settings.ts';
import { initialize, legacy, legacyCall, modern, RawMcp } from '../../mcp/testing/raw-mcp.ts';
import { Browser } from '../../oauth/testing/browser.ts';
import { oauthGarden } from '../../oauth/testing/oauth-garden.ts';
import { callTool, TestClient } from '../../oauth/testing/test-client.ts';
import { type ServedGarden, serveGarden } from '../../testing/serve-garden.ts';

let garden: ServedGarden | null = null;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterEach(async () => {
  vi.useRealTimers();
  await garden?.close();
  garden = null;
});

async function limited(limits: Partial<CallLimits>): Promise<ServedGarden> {
  garden = await serveGarden({}, { callLimits: { ...NO_CALL_LIMITS, ...limits } });
  await garden.opened.writes.switch(true);
  return garden;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

async function ask(token: string, url: string, method: Method = 'GET', body?: object) {
  if (garden === null) throw new Error('no garden');
  const { statusCode, headers, payload } = await garden.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: statusCode, headers, json: () => JSON.parse(payload) };
}

const NOTE = '/v1/notes/Compost.md';
const left = async (token: string): Promise<number> =>
  Number((await ask(token, NOTE)).headers['ratelimit-remaining']);

describe('the limits of a key', () => {
  it('are told with each answer, and refuse what goes beyond, until the minute is over', async () => {
    const { key } = await limited({ reads: 2 });
    const token = key();
    expect((await ask(token, NOTE)).headers).toMatchObject({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '1',
      'ratelimit-reset': '60',
    });
    vi.advanceTimersByTime(45_500);
    await ask(token, NOTE);
    const refused = await ask(token, NOTE);
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'retry-after': '15',
      'ratelimit-remaining': '0',
    });
    expect(refused.json()).toMatchObject({
      code: 'rate_limited',
      detail: 'More than 2 read calls a minute are not taken; nothing of this was done.',
      hint: 'Send it again in 15 seconds.',
      limit: 2,
      retry_after: 15,
    });
    expect((await ask(key(), NOTE)).status).toBe(200);
    vi.advanceTimersByTime(14_500);
    expect((await ask(token, NOTE)).status).toBe(200);
  });

  it('are one for what reads and one for what writes, over all routes', async () => {
    const { key, app } = await limited({ reads: 1, writes: 1 });
    const reads: [string, Method, object?][] = [
      [NOTE, 'GET'],
      ['/v1/notes', 'GET'],
      ['/v1/tags', 'GET'],
      ['/v1/query?q=fox', 'GET'],
      ['/v1/query', 'POST', { query: 'fox' }],
      ['/v1/multi-get', 'POST', { paths: ['Compost.md'] }],
      ['/v1/status', 'GET'],
      ['/v1/status/health', 'GET'],
      ['/v1/keys', 'GET'],
      ['/v1/keys/k_unknown', 'GET'],
      ['/v1/trails', 'GET'],
      ['/v1/grants', 'GET'],
      ['/v1/audit', 'GET'],
      ['/metrics', 'GET'],
      ['/v1/sync', 'GET'],
      ['/v1/conflicts', 'GET'],
    ];
    const writes: [string, Method, object?][] = [
      ['/v1/notes/New.md', 'PUT', { content: 'one' }],
      ['/v1/notes/New.md', 'PATCH', { action: 'append', content: 'two' }],
      ['/v1/notes/New.md/append', 'POST', { content: 'three' }],
      ['/v1/notes/New.md', 'DELETE'],
      ['/v1/batch', 'POST', { operations: [{ action: 'append', path: 'New.md', content: 'four' }] }],
      ['/v1/keys', 'POST', { name: 'Another' }],
      ['/v1/keys/k_unknown/rotate', 'POST'],
      ['/v1/trails', 'POST', {}],
      ['/v1/sync', 'POST'],
      ['/v1/conflicts', 'POST', { copy: 'Compost (conflict 2026-11-30 origin).md', keep: 'ours' }],
    ];
    for (const [calls, kind] of [
      [reads, 'read'],
      [writes, 'write'],
    ] as const) {
      const first = calls[0] as (typeof calls)[0];
      for (const call of calls) {
        const token = key({ scopes: ['read', 'write', 'admin'] });
        await ask(token, ...first);
        const { status, json } = await ask(token, ...call);
        expect([...call, status, json().detail]).toEqual([
          ...call,
          429,
          `More than 1 ${kind} calls a minute are not taken; nothing of this was done.`,
        ]);
      }
    }
    const closed = [...app.offers].filter(([, { access }]) => access !== 'open').map(([url]) => url);
    const asked = [...reads, ...writes].map(([url]) => url.split('?')[0] as string);
    const unasked = closed.filter(
      (url) => !asked.some((path) => new RegExp(`^${url.replace(/\/:\w+|\/\*/g, '/.+')}$`).test(path)),
    );
    // What is left stands below one that was asked, for the same scope, or counts by itself.
    expect(unasked.filter((url) => !/^\/v1\/(?:keys|trails|grants)\//.test(url))).toEqual(['/mcp']);
  });

  it('hold for a call of several operations as a whole', async () => {
    const { key, opened } = await limited({ writes: 20, operations: 5 });
    const token = key({ scopes: ['write'] });
    const batch = (count: number) => ({
      operations: Array.from({ length: count }, (_, at) => ({
        action: 'write',
        path: `Made/${count} ${at}.md`,
        content: 'x',
      })),
    });
    expect((await ask(token, '/v1/batch', 'POST', batch(3))).headers['ratelimit-remaining']).toBe('19');
    const refused = await ask(token, '/v1/batch', 'POST', batch(4));
    expect(refused.json()).toMatchObject({
      code: 'rate_limited',
      detail: 'More than 5 operations a minute are not taken; nothing of this was done.',
    });
    expect(refused.headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '2' });
    expect(opened.vault.ownerView().get('Made/4 0.md' as never)).toBeNull();
    // Nothing was counted for what was refused.
    const fitting = await ask(token, '/v1/batch', 'POST', batch(2));
    expect(fitting.status).toBe(200);
    expect(fitting.headers['ratelimit-remaining']).toBe('18');
    const paths = { paths: ['Compost.md'] };
    expect((await ask(token, '/v1/multi-get', 'POST', paths)).json().code).toBe('rate_limited');
    vi.advanceTimersByTime(60_000);
    const many = { paths: ['Compost.md', 'Tomatoes.md', 'Broken.md', 'A.md', 'B.md'] };
    expect((await ask(token, '/v1/multi-get', 'POST', many)).status).toBe(200);
    expect((await ask(token, '/v1/multi-get', 'POST', paths)).status).toBe(429);
  });

  it('say how to ask where a call is larger than a minute', async () => {
    const { key } = await limited({ operations: 2 });
    const paths = ['Compost.md', 'Tomatoes.md', 'Broken.md'];
    const { status, headers, json } = await ask(key(), '/v1/multi-get', 'POST', { paths });
    expect(status).toBe(429);
    expect(headers['retry-after']).toBeUndefined();
    expect(json()).toMatchObject({
      code: 'rate_limited',
      hint: 'Split the call: it may ask for 2 operations at most.',
    });
    expect(json().retry_after).toBeUndefined();
  });

  it('hold for many calls at the same time', async () => {
    const { key, listen } = await limited({ reads: 10 });
    const headers = { authorization: `Bearer ${key()}` };
    const url = `${await listen()}${NOTE}`;
    const answers = await Promise.all(Array.from({ length: 30 }, () => fetch(url, { headers })));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 10 }, () => 200),
      ...Array.from({ length: 20 }, () => 429),
    ]);
  });

  it('are none where they are off', async () => {
    const { key } = await limited({});
    const token = key();
    for (let count = 0; count < 150; count += 1) {
      const { status, headers } = await ask(token, NOTE);
      expect(status).toBe(200);
      expect(headers['ratelimit-limit']).toBeUndefined();
    }
  });

  it('bound what is no call, too, far above', async () => {
    const { key } = await limited({ reads: 1, writes: 1 });
    const token = key();
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1)
      statuses.push((await ask(token, '/v1/query?limit=no')).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 422), 429]);
  });
});

describe('the limits of a trail', () => {
  const rules = parseTrailRules({ allowPaths: ['Compost.md'] });

  it('hold for all its tokens together, whatever a key may do', async () => {
    const { control, opened, key } = await limited({ reads: 1 });
    const { trail, token } = control.trails.create({ name: 'Guest', vault: opened.slug, rules, reads: 3 });
    const second = control.trails.newToken(trail.id).token;
    const other = control.trails.create({ name: 'Other', vault: opened.slug, rules, reads: 3 }).token;
    expect(await left(token)).toBe(2);
    expect(await left(second)).toBe(1);
    expect(await left(token)).toBe(0);
    expect((await ask(second, NOTE)).status).toBe(429);
    expect((await ask(other, NOTE)).status).toBe(200);
    expect((await ask(key(), NOTE)).status).toBe(200);
    // A change of the trail begins no other minute.
    control.trails.update(trail.id, { reads: 4 });
    expect(await left(token)).toBe(0);
    expect((await ask(second, NOTE)).status).toBe(429);
  });

  it('tell nothing of what is hidden: what is counted is the question', async () => {
    const { control, opened } = await limited({ operations: 20 });
    const { token } = control.trails.create({ name: 'Guest', vault: opened.slug, rules, reads: 0 });
    /** Operations that are left after a question: what too large a one is told. */
    const leftAfter = async (paths: readonly string[]): Promise<unknown> => {
      vi.advanceTimersByTime(60_000);
      const asked = await ask(token, '/v1/multi-get', 'POST', { paths });
      expect(asked.status).toBe(200);
      const tooMany = { paths: Array.from({ length: 20 }, () => 'Compost.md') };
      const { status, headers } = await ask(token, '/v1/multi-get', 'POST', tooMany);
      expect(status).toBe(429);
      return headers['ratelimit-remaining'];
    };
    for (const paths of [
      ['**/*.md'],
      ['Nothing/*.md'],
      ['Compost.md'],
      ['Private/Diary.md'],
      ['Private/Missing.md'],
    ])
      expect([paths, await leftAfter(paths)]).toEqual([paths, '19']);
    expect(await leftAfter(['Private/Diary.md', 'Private/Missing.md'])).toBe('18');
  });
});

describe('the limits over MCP', () => {
  const rate = ({ headers }: { readonly headers: Headers }) => ({
    limit: headers.get('ratelimit-limit'),
    remaining: headers.get('ratelimit-remaining'),
    retry: headers.get('retry-after'),
  });

  it('are those of REST, and refuse with a result that a model can read', async () => {
    const { key, listen } = await limited({ reads: 4, writes: 10 });
    const token = key();
    const mcp = new RawMcp(`${await listen()}/mcp`, token);
    const read = modern('tools/call', { name: 'get', arguments: { path: 'Compost.md' } });
    const session = { 'mcp-session-id': await mcp.session() };
    const call = legacyCall('get', { path: 'Compost.md' });

    expect(rate(await mcp.send(call))).toEqual({ limit: '4', remaining: '3', retry: null });
    expect(rate(await mcp.send(read.body, { headers: read.headers }))).toMatchObject({ remaining: '2' });
    expect(rate(await mcp.send(call, { headers: session }))).toMatchObject({ remaining: '1' });
    expect(await left(token)).toBe(0);

    for (const [body, headers] of [
      [call, {}],
      [call, session],
      [read.body, read.headers],
    ] as const) {
      const answer = await mcp.send(body, { headers });
      expect(answer.status).toBe(200);
      expect(rate(answer)).toEqual({ limit: '4', remaining: '0', retry: '60' });
      const { isError, structuredContent, content } = answer.messages[0]?.result ?? {};
      expect(isError).toBe(true);
      expect(structuredContent.error).toEqual({
        code: 'rate_limited',
        message: 'More than 4 read calls a minute are not taken; nothing of this was done.',
        next: 'Send it again in 60 seconds.',
        limit: 4,
        retry_after: 60,
      });
      expect(content[0].text).toContain('Next: Send it again in 60 seconds.');
    }
  });

  it('hold for resources, prompts and completions', async () => {
    const { key, listen } = await limited({ reads: 1, writes: 10 });
    const url = `${await listen()}/mcp`;
    for (const body of [
      legacy('resources/list'),
      legacy('resources/read', { uri: 'vault://note/Compost.md' }),
      legacy('prompts/get', { name: 'garden' }),
      legacy('completion/complete', {
        ref: { type: 'ref/resource', uri: 'vault://note/{+path}' },
        argument: { name: 'path', value: 'Com' },
      }),
    ]) {
      const mcp = new RawMcp(url, key());
      expect((await mcp.send(body)).messages[0]?.result).toBeDefined();
      const { status, headers, messages } = await mcp.send(body);
      expect([status, headers.get('retry-after')]).toEqual([200, '60']);
      expect(messages[0]).toMatchObject({
        id: 1,
        error: { data: { code: 'rate_limited', retry_after: 60 } },
      });
    }
  });

  it('do not count greetings and lists of tools as calls', async () => {
    const { key, listen } = await limited({ reads: 1, writes: 1 });
    const mcp = new RawMcp(`${await listen()}/mcp`, key());
    for (const body of [initialize(), legacy('ping'), legacy('tools/list'), legacy('tools/list')]) {
      const { messages, headers } = await mcp.send(body);
      expect(messages[0]?.result).toBeDefined();
      expect(headers.get('ratelimit-limit')).toBeNull();
    }
    expect((await mcp.result(legacyCall('get', { path: 'Compost.md' }))).isError).toBeUndefined();
    for (let count = 0; count < 15; count += 1) await mcp.send(legacy('ping'));
    const { status, headers, messages } = await mcp.send(legacy('ping'));
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
    expect(messages[0]?.error?.data).toMatchObject({ code: 'rate_limited' });
  });
});

describe('the limits of what was let in by OAuth', () => {
  it('are the key’s for a grant of the owner, and the trail’s for one of a trail, with its tokens', async () => {
    const granted = await oauthGarden({}, { callLimits: { ...NO_CALL_LIMITS, reads: 2 } });
    const call = async (token: string): Promise<string> => (await callTool(granted, token)).text;
    try {
      const owner = await TestClient.registered(granted);
      const { access_token: first, refresh_token: refresh } = await owner.connect();
      expect(await call(first)).not.toContain('rate_limited');
      // A renewed token begins no other minute.
      const { body } = await owner.refresh(refresh);
      expect(await call(String(body.access_token))).not.toContain('rate_limited');
      expect(await call(String(body.access_token))).toContain('"code":"rate_limited"');

      const rules = parseTrailRules({ allowPaths: ['Compost.md'] });
      const wish = { name: 'Guest', vault: granted.opened.slug, rules, reads: 3 };
      const { trail, token } = granted.control.trails.create(wish);
      const guest = await TestClient.registered(granted);
      const browser = new Browser(granted.url);
      const page = await browser.visit(guest.authorizeUrl());
      const consent = await browser.submit(page, '/trail', { secret: token });
      const choice = guest.choice({ notes: `trail:${trail.id}`, access: 'read' });
      const answer = guest.answered(await browser.submit(consent, '/consent', choice));
      const access = String((await guest.exchange(answer.get('code'))).body.access_token);
      for (const each of [access, token, access]) expect(await call(each)).not.toContain('rate_limited');
      for (const each of [access, token]) expect(await call(each)).toContain('"code":"rate_limited"');

      const recorded = () =>
        granted.control.audit
          .list({ trail: trail.id, tool: 'query' })
          .map(({ principal, client, outcome, found }) => [principal.kind, client, outcome, found]);
      await expect.poll(() => recorded().length, { timeout: 60_000 }).toBe(5);
      expect(recorded().sort()).toEqual([
        ['grant', 'Test client', 'ok', 1],
        ['grant', 'Test client', 'ok', 1],
        // Nothing was searched for what was refused.
        ['grant', 'Test client', 'rate_limited', null],
        ['trail', null, 'ok', 1],
        ['trail', null, 'rate_limited', null],
      ]);
    } finally {
      await granted.close();
    }
  });
});
