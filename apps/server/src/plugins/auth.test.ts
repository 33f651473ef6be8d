import { rmSync } from 'node:fs';
import { METHODS } from 'node:http';
import { join } from 'node:path';
import fc from 'fast-check';
import type { HTTPMethods } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { exchange } from '../testing/raw-socket.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

let garden: ServedGarden;
let url: string;
let token: string;

beforeAll(async () => {
  garden = await serveGarden();
  url = await garden.listen();
  token = garden.key();
});
afterAll(() => garden.close());

const PATH = '/v1/query?q=compost';

describe('what answers without a key', () => {
  it('is the state of the process, the description of the interface, and what leads to a token', () => {
    const open = [...garden.app.offers]
      .filter(([, { access }]) => access === 'open')
      .map(([pattern]) => pattern)
      // Pages of the owner, which ask for a session.
      .filter((pattern) => !/^\/owner(?:\/|$)/.test(pattern));
    expect(open.sort()).toEqual([
      '/',
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/openid-configuration',
      '/docs',
      '/docs/:asset',
      '/docs/errors',
      '/healthz',
      '/invite/:secret',
      '/oauth/authorize',
      '/oauth/authorize/:uid',
      '/oauth/interaction/:uid',
      '/oauth/interaction/:uid/consent',
      '/oauth/interaction/:uid/invite',
      '/oauth/interaction/:uid/owner',
      '/oauth/interaction/:uid/refuse',
      '/oauth/interaction/:uid/trail',
      '/oauth/jwks',
      '/oauth/register',
      '/oauth/revoke',
      '/oauth/token',
      '/openapi.json',
      '/pages/pages.css',
      '/readyz',
    ]);
  });

  it('is not what the route for all of OPTIONS takes', async () => {
    for (const url of ['/v1/query', '/v1/notes/Compost.md', '/mcp', '/metrics', '/v1/keys']) {
      const { statusCode } = await garden.app.inject({ method: 'OPTIONS', url });
      expect(`${url} ${statusCode}`).toBe(`${url} 401`);
    }
  });
});

describe('every route that is not open', () => {
  it('answers 401 without a key, whatever the method', async () => {
    const closed = [...garden.app.offers].filter(([, { access }]) => access !== 'open');
    expect(closed.map(([pattern]) => pattern)).toEqual(
      expect.arrayContaining(['/mcp', '/v1/query', '/v1/notes/*']),
    );
    const methods = METHODS.filter((method) => method !== 'CONNECT') as HTTPMethods[];
    for (const [pattern, { methods: taken }] of closed) {
      const path = pattern.replace('*', 'Compost.md').replaceAll(/:\w+/g, 'x');
      for (const method of methods) {
        const { statusCode, headers } = await garden.app.inject({ method: method as 'GET', url: path });
        expect(`${method} ${path} ${statusCode}`).toBe(`${method} ${path} 401`);
        // What is no call of MCP leads to no authorization.
        expect(headers['www-authenticate']).toBe(
          path === '/mcp' && taken.has(method)
            ? `Bearer realm="grove", resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`
            : 'Bearer realm="grove"',
        );
        expect(headers['x-request-id']).toBeDefined();
      }
    }
  });

  it('answers 403 with the scope that a key lacks', async () => {
    const narrow = `Bearer ${garden.key({ scopes: ['admin'] })}`;
    const rest = await garden.app.inject({ url: PATH, headers: { authorization: narrow } });
    expect(rest.statusCode).toBe(403);
    expect(rest.json().code).toBe('scope_missing');
    expect(rest.headers['www-authenticate']).toBe(
      'Bearer realm="grove", error="insufficient_scope", scope="read"',
    );
    const mcp = await garden.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { authorization: narrow },
      payload: {},
    });
    expect(mcp.statusCode).toBe(403);
    expect(mcp.json().error.data.code).toBe('scope_missing');
    expect(mcp.headers['www-authenticate']).toBe(rest.headers['www-authenticate']);
    const writing = `Bearer ${garden.key({ scopes: ['write'] })}`;
    expect((await garden.app.inject({ url: PATH, headers: { authorization: writing } })).statusCode).toBe(
      200,
    );
  });
});

describe('the Authorization header', () => {
  it.each(['Bearer KEY', 'bearer KEY', 'BEARER KEY', 'Bearer   KEY', 'Bearer KEY  '])(
    'is taken as %j',
    async (form) => {
      const headers = { authorization: form.replace('KEY', token) };
      expect((await garden.app.inject({ url: PATH, headers })).statusCode).toBe(200);
    },
  );

  it.each([
    ['', 'key_missing'],
    ['Bearer', 'key_missing'],
    ['Bearer ', 'key_missing'],
    ['Basic dXNlcjpLRVk=', 'key_missing'],
    ['KEY', 'key_missing'],
    ['BearerKEY', 'key_missing'],
    ['Bearer: KEY', 'key_missing'],
    ['Token KEY', 'key_missing'],
    ['Bearer KEY KEY', 'key_invalid'],
    ['Bearer KEY, Bearer KEY', 'key_invalid'],
    ['Bearer "KEY"', 'key_invalid'],
    ['Bearer KEYx', 'key_invalid'],
    ['Bearer xKEY', 'key_invalid'],
    ['Bearer grove_', 'key_invalid'],
    ['Bearer null', 'key_invalid'],
  ])('is refused as %j', async (form, code) => {
    const headers = { authorization: form.replaceAll('KEY', token) };
    const answer = await garden.app.inject({ url: PATH, headers });
    expect(answer.statusCode).toBe(401);
    expect(answer.json().code).toBe(code);
    // RFC 6750 section 3.1: no error code for a request that brought no token.
    expect(answer.headers['www-authenticate']).toBe(
      code === 'key_missing' ? 'Bearer realm="grove"' : 'Bearer realm="grove", error="invalid_token"',
    );
    expect(answer.body).not.toContain(token);
  });

  it('is refused twice, even when both are good', async () => {
    const header = `Authorization: Bearer ${token}\r\n`;
    const request = `GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`;
    expect(await exchange(url, `${request}${header}\r\n`)).toContain('200 OK');
    expect(await exchange(url, `${request}${header}${header}\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await exchange(url, `${request}${header}Authorization: Basic x\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 401 /,
    );
  });

  it('with control bytes is no request', async () => {
    const request = `GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`;
    for (const byte of ['\0', '\x01', '\x7f'])
      expect(await exchange(url, `${request}Authorization: Bearer ${byte}${token}\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 40[01] /,
      );
  });

  it('is never good by chance', async () => {
    const guesses = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.constant(token.slice(0, -1)),
      fc.constant(token),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('Bearer ', 'bearer  ', 'Basic ', ''),
        guesses,
        async (scheme, guess) => {
          const authorization = `${scheme}${guess}`;
          const { statusCode } = await garden.app.inject({ url: PATH, headers: { authorization } });
          const isGood = /^Bearer\s/i.test(scheme) && guess.trim() === token;
          expect(statusCode).toBe(isGood ? 200 : 401);
        },
      ),
    );
  });

  it.each(['access_token', 'key', 'token', 'authorization', 'api_key'])(
    'is not replaced by ?%s=',
    async (name) => {
      const answer = await garden.app.inject({ url: `${PATH}&${name}=${token}` });
      expect(answer.statusCode).toBe(401);
      expect(answer.body).not.toContain(token);
    },
  );
});

describe('a key', () => {
  it('is refused from the moment that it is revoked', async () => {
    const made = garden.control.keys.create({ name: 'to end', vault: garden.opened.slug });
    const headers = { authorization: `Bearer ${made.token}` };
    expect((await garden.app.inject({ url: PATH, headers })).statusCode).toBe(200);
    garden.control.keys.revoke(made.key.id);
    const refused = await garden.app.inject({ url: PATH, headers });
    expect(refused.statusCode).toBe(401);
    expect(refused.json().code).toBe('key_invalid');
  });

  it('is refused from the moment that it expires, and that it is rotated', async () => {
    const made = garden.control.keys.create({
      name: 'short',
      vault: garden.opened.slug,
      expiresAt: Date.now() + 300,
    });
    const headers = { authorization: `Bearer ${made.token}` };
    expect((await garden.app.inject({ url: PATH, headers })).statusCode).toBe(200);
    await expect
      .poll(async () => (await garden.app.inject({ url: PATH, headers })).statusCode, { timeout: 10_000 })
      .toBe(401);
    const rotated = garden.control.keys.create({ name: 'turns', vault: garden.opened.slug });
    const after = garden.control.keys.rotate(rotated.key.id);
    const statusOf = async (key: string): Promise<number> =>
      (await garden.app.inject({ url: PATH, headers: { authorization: `Bearer ${key}` } })).statusCode;
    expect(await statusOf(rotated.token)).toBe(401);
    expect(await statusOf(after.token)).toBe(200);
  });

  it('of a vault that is not served answers 503 and opens no other', async () => {
    const { token: foreign } = garden.control.keys.create({ name: 'foreign', vault: 'elsewhere' });
    const answer = await garden.app.inject({ url: PATH, headers: { authorization: `Bearer ${foreign}` } });
    expect(answer.statusCode).toBe(503);
    expect(answer.json().code).toBe('vault_unserved');
  });

  it('opens nothing once the file of keys is lost or closed', async () => {
    const lost = await serveGarden();
    onTestFinished(() => lost.close());
    const headers = { authorization: `Bearer ${lost.key()}` };
    expect((await lost.app.inject({ url: PATH, headers })).statusCode).toBe(200);
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(join(lost.dataDir, `control.db${suffix}`), { force: true });
    for (const path of [PATH, '/mcp']) {
      const answer = await lost.app.inject({ url: path, headers });
      expect(answer.statusCode).toBe(503);
      expect(answer.body).toContain('keys_unavailable');
      expect(answer.body).not.toContain('control.db');
    }
    expect((await lost.app.inject({ url: '/healthz' })).statusCode).toBe(200);
    lost.control.close();
    expect((await lost.app.inject({ url: PATH, headers })).statusCode).toBe(503);
  });
});
