import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { exchange } from '../testing/raw-socket.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

let garden: ServedGarden;
let quiet: ServedGarden;
let url: string;
let token: string;
let lines: string[] = [];

const sink = {
  write: (line: string): void => {
    lines.push(line);
  },
};

beforeAll(async () => {
  garden = await serveGarden({}, { log: createLog('trace', sink) });
  quiet = await serveGarden({}, { log: createLog('warn', sink) });
  url = await garden.listen();
  token = garden.key();
});
beforeEach(() => {
  lines = [];
});
afterAll(async () => {
  await garden.close();
  await quiet.close();
});

/** Every request in which a name of a note, a word of a query and a key could come to light. */
const TELLING = [
  { url: '/v1/notes/Private/Diary.md?section=Secret' },
  { url: '/v1/notes/Nothing%20here%20Diary.md' },
  { url: '/v1/query?q=xylophone' },
  { url: '/v1/query?xylophone=1' },
  { url: '/v1/notes/%zzDiary' },
  { url: '/Diary/xylophone' },
  { method: 'PUT', url: '/v1/notes/Diary.md', payload: 'xylophone' },
  { method: 'POST', url: '/v1/query', payload: { query: 'xylophone' } },
  {
    method: 'POST',
    url: '/v1/query',
    payload: '{"xylophone',
    headers: { 'content-type': 'application/json' },
  },
  { method: 'POST', url: '/mcp', payload: { xylophone: 'Diary' } },
  { method: 'POST', url: '/mcp?profile=xylophone', payload: {} },
] as const;

describe('the log', () => {
  it('has one line a request: method, route, status, time, size and the id of the key', async () => {
    const answer = await garden.app.inject({
      url: '/v1/query?q=compost',
      headers: { authorization: `Bearer ${token}`, 'x-request-id': 'from-a-proxy.1' },
    });
    expect(answer.headers['x-request-id']).toBe('from-a-proxy.1');
    const [line, ...others] = lines.map((text) => JSON.parse(text)).filter(({ level }) => level === 30);
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      reqId: 'from-a-proxy.1',
      method: 'GET',
      route: '/v1/query',
      status: 200,
      ms: expect.any(Number),
      bytes: Number(answer.headers['content-length']),
      key: garden.control.keys.list()[0]?.id,
    });
  });

  it('names the pattern of the route, never the address, a query, a body or a key, at its most talkative', async () => {
    for (const request of TELLING) {
      for (const authorization of [`Bearer ${token}`, `Basic ${btoa('me:pass-word')}`, `Bearer ${token}x`]) {
        const headers = { ...('headers' in request ? request.headers : {}), authorization };
        await garden.app.inject({ ...request, headers });
      }
      await garden.app.inject({ ...request, url: `${request.url}&key=${token}` });
    }
    await exchange(url, `GET /Diary?key=${token} HTTP/1.1\r\nHost: x\r\nx : xylophone\r\n\r\n`);
    expect(lines.length).toBeGreaterThan(TELLING.length * 4);
    const text = lines.join('');
    expect(text).not.toContain(token);
    expect(text).not.toContain(btoa('me:pass-word'));
    expect(text).not.toMatch(/xylophone|Diary/);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) });
  });

  it('hides a key that stands where nobody looks for one', () => {
    const log = createLog('trace', sink);
    log.error({ err: new Error(`no ${token}`), headers: { authorization: 'Basic x' }, deep: { [token]: 1 } });
    expect(lines.join('')).not.toContain(token);
    expect(lines.join('')).not.toContain('Basic x');
    log.info({ req: { method: 'GET', url: '/v1/notes/Diary.md', headers: { authorization: token } } });
    expect(lines.join('')).not.toMatch(/Diary/);
  });

  it('is silent about what was answered where only warnings are asked for', async () => {
    await quiet.app.inject({ url: '/healthz' });
    await quiet.app.inject({ url: '/v1/query' });
    expect(lines).toEqual([]);
  });
});

describe('every answer', () => {
  it.each([
    ['what is there', '/healthz', 200],
    ['what is not', '/nothing', 404],
    ['a refused key', '/v1/query', 401],
    ['MCP without a key', '/mcp', 401],
    ['an address that cannot be read', '/%zz', 400],
  ])('has an id and the headers that keep it in its place: %s', async (_, path, status) => {
    const response = await fetch(`${url}${path}`);
    expect(response.status).toBe(status);
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{22}$/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    const reqId = response.headers.get('x-request-id');
    await expect
      .poll(() => lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'answered'))
      .toMatchObject({ reqId, status, key: null });
  });

  it.each(['a b', 'x'.repeat(65), '', '{"a":1}', 'é'])(
    'has an id of its own instead of %j',
    async (given) => {
      const { headers } = await garden.app.inject({ url: '/healthz', headers: { 'x-request-id': given } });
      expect(headers['x-request-id']).toMatch(/^[\w-]{22}$/);
    },
  );

  it('of MCP has an id and those headers too', async () => {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-request-id': 'mcp-1',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-request-id')).toBe('mcp-1');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toContain('vault_status');
  });
});
