import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../app.ts';
import { listen } from '../http/listen.ts';
import { gardenOptions } from '../testing/garden-options.ts';
import { Browser, formOf, type Visited } from './testing/browser.ts';
import { freePort, type OAuthGarden, oauthGarden, PASSPHRASE } from './testing/oauth-garden.ts';
import { callTool, postJson, TestClient } from './testing/test-client.ts';

/** Pages of it may call the interfaces. */
const ALLOWED = 'http://127.0.0.1:1';

let garden: OAuthGarden;
let client: TestClient;
beforeAll(async () => {
  garden = await oauthGarden(
    {},
    { names: { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [ALLOWED] } },
  );
  client = await TestClient.registered(garden);
  // The owner has agreed to it before.
  await client.authorize();
});
afterAll(() => garden.close());

/** A page of an error: in words, without the insides of the program, and sending nobody anywhere. */
function expectErrorPage(page: Visited, status: number): void {
  expect(page.status).toBe(status);
  expect(page.location).toBeNull();
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.text).toContain('<h1>');
  expect(page.text).not.toMatch(/node_modules|at .*\.(?:js|ts):\d+/);
}

describe('a code', () => {
  it('is good once; used again, it ends what was given for it', async () => {
    const answer = await client.authorize();
    const code = answer.get('code');
    const { status, body } = await client.exchange(code);
    expect(status).toBe(200);
    expect((await client.exchange(code)).body.error).toBe('invalid_grant');
    expect((await callTool(garden, String(body.access_token))).status).toBe(401);
    expect((await client.refresh(String(body.refresh_token))).body.error).toBe('invalid_grant');
  });

  it('is good once for many requests at the same time', async () => {
    const code = (await client.authorize()).get('code');
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.exchange(code)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { status, body } of answers)
      if (status === 200) expect((await callTool(garden, String(body.access_token))).status).toBe(401);
    expect(garden.control.grants.list()[0]?.state).toBe('revoked');
  });

  it.each<[string, Record<string, string | null>]>([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['no verifier', { code_verifier: null }],
    ['another redirect', { redirect_uri: 'https://client.example/other' }],
    ['another resource', { resource: 'https://other.example/mcp' }],
    ['the resource with a slash', { resource: 'RESOURCE/' }],
  ])('is not good with %s', async (_, changes) => {
    const answer = await client.authorize();
    const own = Object.entries(changes).map(([name, value]) => [
      name,
      value?.replace('RESOURCE', garden.resource) ?? null,
    ]);
    const { status, body } = await client.exchange(answer.get('code'), Object.fromEntries(own));
    expect(status).toBe(400);
    expect(body.error).toMatch(/^invalid_(?:grant|target)$/);
    expect(body).not.toHaveProperty('access_token');
  });

  it('is not good for another client', async () => {
    const answer = await client.authorize();
    const other = await TestClient.registered(garden);
    const { status, body } = await other.exchange(answer.get('code'), { code_verifier: client.verifier });
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  });

  it('comes with the issuer, so that a client tells servers apart', async () => {
    expect((await client.authorize()).get('iss')).toBe(garden.url);
    const refused = await new Browser(garden.url).visit(client.authorizeUrl({ response_type: 'token' }));
    expect(client.answered(refused).get('iss')).toBe(garden.url);
  });
});

describe('an authorization', () => {
  it.each<[string, Record<string, string | null>]>([
    ['without a challenge', { code_challenge: null, code_challenge_method: null }],
    ['with a plain challenge', { code_challenge_method: 'plain' }],
    ['with a challenge of no method', { code_challenge_method: null }],
    ['for tokens at once', { response_type: 'token' }],
    ['for an identity token at once', { response_type: 'id_token', scope: 'openid', nonce: 'n' }],
    ['for another resource', { resource: 'https://other.example/mcp' }],
    ['with a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }],
  ])('%s is refused to the client', async (_, changes) => {
    const page = await new Browser(garden.url).visit(client.authorizeUrl(changes));
    const answer = client.answered(page);
    expect(answer.get('error')).toMatch(/^(?:invalid_|unsupported_|request_)/);
    expect(answer.get('code')).toBeNull();
  });

  it.each<[string, Record<string, string | null>]>([
    ['a foreign address', { redirect_uri: 'https://evil.example/callback' }],
    ['an address below its own', { redirect_uri: 'https://client.example/callback/more' }],
    ['its own with a query', { redirect_uri: 'https://client.example/callback?next=https://evil.example' }],
    ['its own with another scheme', { redirect_uri: 'http://client.example/callback' }],
    [
      'its own under a name that looks alike',
      { redirect_uri: 'https://client.example@evil.example/callback' },
    ],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ['a path', { redirect_uri: '//evil.example' }],
    ['no client', { client_id: null }],
    ['an unknown client', { client_id: 'nobody' }],
    ['a hostile client', { client_id: '"><script>alert(1)</script>' }],
  ])('that names %s sends nobody anywhere', async (_, changes) => {
    const page = await new Browser(garden.url).ask(client.authorizeUrl(changes));
    expectErrorPage(page, 400);
    expect(page.text).not.toContain('<script>');
  });

  it('cannot be answered from another browser', async () => {
    const page = await new Browser(garden.url).visit(client.authorizeUrl());
    const other = new Browser(garden.url);
    expectErrorPage(await other.visit(page.url), 400);
    expectErrorPage(await other.submit(page, '/owner', { passphrase: PASSPHRASE }), 400);
    expectErrorPage(await other.submit(page, '/refuse'), 400);
    // Nor is what follows for anybody else.
    const uid = page.url.split('/').at(-1);
    expectErrorPage(await other.visit(`/oauth/authorize/${uid}`), 400);
  });

  it('cannot be answered by the cookie of another one', async () => {
    const browser = new Browser(garden.url);
    const first = await browser.visit(client.authorizeUrl());
    const cookie = browser
      .cookies()
      .filter(({ name }) => name.startsWith('grove_interaction'))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const second = await new Browser(garden.url).visit(client.authorizeUrl());
    const answer = await new Browser(garden.url).ask(second.url, { headers: { cookie } });
    expectErrorPage(answer, 400);
    expect(first.status).toBe(200);
  });

  it('is not agreed to by a form of another page', async () => {
    const browser = new Browser(garden.url);
    const page = await browser.visit(client.authorizeUrl());
    const consent = await browser.submit(page, '/owner', { passphrase: PASSPHRASE });
    const { url, hidden } = formOf(consent, '/consent');
    const send = async (fields: Readonly<Record<string, string>>, origin = garden.url) =>
      await browser.ask(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
        body: new URLSearchParams(fields).toString(),
      });
    const choice = client.choice({});
    const { form = '', ...rest } = hidden;
    expectErrorPage(await send({ ...rest, ...choice }), 403);
    expectErrorPage(await send({ ...rest, ...choice, form: '' }), 403);
    expectErrorPage(await send({ ...rest, ...choice, form: `${form}x` }), 403);
    const other =
      formOf(await new Browser(garden.url).visit(client.authorizeUrl()), '/owner').hidden.form ?? '';
    expectErrorPage(await send({ ...rest, ...choice, form: other }), 403);
    expect((await send({ ...rest, ...choice, form }, 'https://evil.example')).status).toBe(403);
    expect((await send({ ...rest, ...choice, form }, 'null')).status).toBe(403);
    // Of the same site and another origin, which the server's owner lets call.
    expect((await send({ ...rest, ...choice, form }, ALLOWED)).status).toBe(403);
    expect((await send({ ...rest, ...choice, form })).status).toBe(303);
  });

  it('is not agreed to by somebody who has not signed in', async () => {
    const browser = new Browser(garden.url);
    const page = await browser.visit(client.authorizeUrl());
    const { url, hidden } = formOf(page, '/owner');
    const answer = await browser.ask(url.replace(/owner$/, 'consent'), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...hidden, ...client.choice({}) }).toString(),
    });
    expectErrorPage(answer, 400);
    expect((await browser.submit(page, '/owner', { passphrase: 'a guess' })).status).toBe(403);
  });

  it('cannot be continued by a session that somebody planted', async () => {
    const planted = new Browser(garden.url);
    await client.authorize({}, {}, planted);
    const cookies = planted
      .cookies()
      .filter(({ name }) => name.startsWith('grove_oauth'))
      .map(({ name, value }) => `${name}=${value}`);
    expect(cookies.length).toBeGreaterThan(0);
    const page = await new Browser(garden.url).ask(client.authorizeUrl(), {
      headers: { cookie: cookies.join('; ') },
    });
    const next = await new Browser(garden.url).ask(page.location ?? '', {
      headers: {
        cookie: [...cookies, ...page.headers.getSetCookie().map((line) => line.split(';')[0])].join('; '),
      },
    });
    expect(next.text).toContain('asks to use notes on this server');
  });
});

describe('pages', () => {
  it('are kept by nobody, framed by nobody, and may do nothing but show themselves', async () => {
    const browser = new Browser(garden.url);
    const page = await browser.visit(client.authorizeUrl());
    const consent = await browser.submit(page, '/owner', { passphrase: PASSPHRASE });
    const refused = await browser.visit(client.authorizeUrl({ client_id: 'nobody' }));
    for (const { headers, text } of [page, consent, refused]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('form-action');
      expect(policy).not.toContain('script-src');
      expect(text).not.toContain('<script');
    }
    for (const { name, line } of browser.cookies()) {
      expect(line.toLowerCase(), name).toContain('httponly');
      expect(line.toLowerCase(), name).toContain('samesite=lax');
    }
  });

  it('have cookies that go over https alone, where the public address is one', async () => {
    const publicUrl = 'https://notes.example.org';
    const behind = await oauthGarden({}, { publicUrl });
    onTestFinished(() => behind.close());
    const headers = { host: 'notes.example.org', accept: 'text/html' };
    const { client_id: id } = (
      await behind.app.inject({
        method: 'POST',
        url: '/oauth/register',
        headers,
        payload: { redirect_uris: ['https://client.example/callback'] },
      })
    ).json();
    const { search } = new URL(client.authorizeUrl({ client_id: id, resource: `${publicUrl}/mcp` }));
    const begun = await behind.app.inject({ url: `/oauth/authorize${search}`, headers });
    expect(begun.statusCode).toBe(303);
    const cookies = [begun.headers['set-cookie'] ?? []].flat();
    expect(cookies.length).toBeGreaterThan(0);
    for (const line of cookies) expect(line.toLowerCase()).toContain('; secure');
    const cookie = cookies.map((line) => line.split(';')[0]).join('; ');
    const page = await behind.app.inject({
      url: String(begun.headers.location),
      headers: { ...headers, cookie },
    });
    expect(page.payload).toContain('Passphrase of this server');
    const [, form = ''] = /name="form" value="([^"]+)"/.exec(page.payload) ?? [];
    const signedIn = await behind.app.inject({
      method: 'POST',
      url: `${begun.headers.location}/owner`,
      headers: { ...headers, cookie, origin: publicUrl, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ form, passphrase: PASSPHRASE }).toString(),
    });
    expect(signedIn.statusCode).toBe(303);
    const session = [signedIn.headers['set-cookie'] ?? []]
      .flat()
      .find((line) => line.includes('grove_owner'));
    expect(session).toMatch(/^__Host-grove_owner=.*; Secure/i);
  });

  it('show what a client calls itself as text', async () => {
    const hostile = await TestClient.registered(garden, {
      client_name: '<img src=x onerror=alert(1)>\u202egnp.exe\u0000',
    });
    const page = await new Browser(garden.url).visit(hostile.authorizeUrl());
    expect(page.text).toContain('&lt;img src=x onerror=alert(1)&gt;gnp.exe');
    expect(page.text).not.toContain('<img');
  });
});

describe('every endpoint', () => {
  const forms = { 'content-type': 'application/x-www-form-urlencoded' };
  const json = { 'content-type': 'application/json' };
  const garbage: [string, Record<string, string>, string | Buffer][] = [
    ['nothing', {}, ''],
    ['an empty form', forms, ''],
    ['bytes as a form', forms, Buffer.from([0, 255, 254, 37, 61, 38])],
    ['broken escapes', forms, 'grant_type=%zz&code=%'],
    [
      'the same field twice',
      forms,
      'grant_type=authorization_code&grant_type=refresh_token&client_id=a&client_id=b',
    ],
    ['names of objects', forms, '__proto__[x]=1&constructor=2&client_id=__proto__&grant_type=toString'],
    ['JSON that is none', json, '{"redirect_uris": ['],
    ['a list', json, '[]'],
    ['null', json, 'null'],
    ['a number', json, '42'],
    [
      'names of objects in JSON',
      json,
      '{"__proto__": {"redirect_uris": ["https://a.example"]}, "constructor": 1}',
    ],
    ['wrong types', json, '{"redirect_uris": "https://a.example", "client_name": {}, "grant_types": 7}'],
    ['another type', { 'content-type': 'text/plain' }, 'hello'],
    ['a type that is none', { 'content-type': ';;;' }, 'hello'],
    ['a large form', forms, `grant_type=${'x'.repeat(200_000)}`],
    ['a large object', json, JSON.stringify({ client_name: 'x'.repeat(200_000), redirect_uris: [] })],
  ];

  it.each(garbage)('answers %s with a code, and without its insides', async (_, headers, body) => {
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/register', '/oauth/interaction/x/consent']) {
      const answer = await new Browser(garden.url).ask(path, {
        method: 'POST',
        headers: { accept: 'application/json', ...headers },
        body,
      });
      expect(`${path} ${answer.status}`).toMatch(/ 4(?:00|01|13|15)$/);
      expect(answer.text, path).toMatch(/"error":"|"code":"|<code>/);
      expect(answer.text).not.toMatch(/node_modules|at .*\.(?:js|ts):\d+|SyntaxError|TypeError/);
    }
  });

  it('takes no other method', async () => {
    for (const path of ['/oauth/token', '/oauth/register', '/oauth/revoke', '/oauth/interaction/x/consent'])
      expect((await fetch(`${garden.url}${path}`)).status, path).toBe(405);
    expect((await fetch(`${garden.url}/oauth/authorize`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${garden.url}/oauth/session/end`)).status).toBe(404);
    expect((await fetch(`${garden.url}/oauth/nothing`)).status).toBe(404);
  });

  it('answers to no name but its own', async () => {
    const { hostname, port } = new URL(garden.url);
    for (const path of ['/oauth/token', '/.well-known/oauth-authorization-server', '/oauth/interaction/x']) {
      const status = await new Promise((resolve, reject) => {
        const sent = request({ hostname, port, path, headers: { host: 'rebound.example' } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        sent.on('error', reject);
        sent.end();
      });
      expect(`${path} ${status}`).toBe(`${path} 403`);
    }
  });
});

describe('a registration', () => {
  it.each([
    ['no address', []],
    ['an address in the open', ['http://client.example/callback']],
    ['a script', ['javascript:alert(1)']],
    ['data', ['data:text/html,x']],
    ['a fragment', ['https://client.example/#x']],
    ['no address at all', ['nowhere']],
  ])('with %s to be sent to is refused', async (_, uris) => {
    const { status, body } = await postJson(`${garden.url}/oauth/register`, { redirect_uris: uris });
    expect(status).toBe(400);
    expect(body.error).toMatch(/^invalid_(?:redirect_uri|client_metadata)$/);
  });
});

describe('a token', () => {
  it('that is made up, a hash, a refresh token, or longer than it was given opens nothing', async () => {
    const tokens = await client.connect();
    const hash = createHash('sha256').update(tokens.access_token).digest('hex');
    for (const token of ['x'.repeat(43), hash, tokens.refresh_token, `${tokens.access_token}x`])
      expect((await callTool(garden, token)).status).toBe(401);
  });

  it('of another server opens nothing here, and here nothing of it can be refreshed', async () => {
    const other = await oauthGarden();
    onTestFinished(() => other.close());
    const tokens = await (await TestClient.registered(other)).connect();
    expect((await callTool(other, tokens.access_token)).status).toBe(200);
    expect((await callTool(garden, tokens.access_token)).status).toBe(401);
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('for another address of the same server opens nothing', async () => {
    const first = await oauthGarden();
    onTestFinished(() => first.close());
    const { access_token: token } = await (await TestClient.registered(first)).connect();
    expect((await callTool(first, token)).status).toBe(200);
    const port = await freePort();
    const resource = `http://127.0.0.1:${port}/mcp`;
    const control = openControl({ dataDir: first.dataDir, clock: systemClock, resource });
    const app = await buildApp(gardenOptions(first, control));
    onTestFinished(async () => {
      await app.close();
      control.close();
    });
    await listen(app, { host: '127.0.0.1', port });
    const key = control.keys.create({ name: 'here', vault: first.opened.slug }).token;
    expect((await callTool({ resource }, key)).status).toBe(200);
    expect((await callTool({ resource }, token)).status).toBe(401);
  });
});
