import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

const ORIGIN = 'https://app.example';
let garden: ServedGarden;
let authorization: string;

beforeAll(async () => {
  garden = await serveGarden(
    {},
    { names: { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [ORIGIN] } },
  );
  authorization = `Bearer ${garden.key()}`;
});
afterAll(() => garden.close());

describe('a page in a browser', () => {
  it.each(['/mcp', '/v1/query', '/v1/notes/Compost.md', '/v1/nothing'])(
    'may ask without a key what it may send to %s, and learns nothing by it',
    async (url) => {
      const { statusCode, headers, body } = await garden.app.inject({
        method: 'OPTIONS',
        url,
        headers: {
          origin: ORIGIN,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,x-other',
        },
      });
      expect(statusCode).toBe(204);
      expect(body).toBe('');
      expect(headers['access-control-allow-origin']).toBe(ORIGIN);
      expect(headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PUT, PATCH, DELETE');
      const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ');
      expect(allowed).toEqual(
        expect.arrayContaining([
          'authorization',
          'content-type',
          'mcp-session-id',
          'mcp-protocol-version',
          'mcp-method',
          'mcp-name',
          'last-event-id',
          'if-none-match',
        ]),
      );
      expect(allowed).not.toContain('x-other');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      expect(headers.vary).toContain('Origin');
    },
  );

  it('of a foreign origin gets no answer to a preflight', async () => {
    const { statusCode, headers } = await garden.app.inject({
      method: 'OPTIONS',
      url: '/mcp',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(statusCode).toBe(403);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it.each([
    ['an answer', '/v1/notes/Compost.md', true, 200],
    ['a missing note', '/v1/notes/Nothing.md', true, 404],
    ['no key', '/v1/notes/Compost.md', false, 401],
    ['MCP without a key', '/mcp', false, 401],
  ] as const)('can read %s with its headers', async (_, url, withKey, status) => {
    const { statusCode, headers } = await garden.app.inject({
      url,
      headers: { origin: ORIGIN, ...(withKey ? { authorization } : {}) },
    });
    expect(statusCode).toBe(status);
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    const exposed = String(headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining([
        'WWW-Authenticate',
        'Mcp-Session-Id',
        'ETag',
        'Location',
        'Content-Location',
        'X-Request-Id',
        'Retry-After',
        'RateLimit',
      ]),
    );
  });

  it('reads MCP answers of either kind', async () => {
    const url = await garden.listen();
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        origin: ORIGIN,
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers.get('vary')).toContain('Origin');
    expect(await response.text()).toContain('multi_get');
  });
});

describe('Vary', () => {
  it('names Origin beside what the route looked at, for callers without an origin too', async () => {
    const { headers } = await garden.app.inject({ url: '/v1/notes/Compost.md', headers: { authorization } });
    expect(String(headers.vary).split(', ').sort()).toEqual(['Accept', 'Authorization', 'Origin']);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});
