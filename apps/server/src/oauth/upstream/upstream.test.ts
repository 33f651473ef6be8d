import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { UpstreamProvider } from '@grove/access';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Browser, formOf, type Visited } from '../testing/browser.ts';
import { freePort, type OAuthGarden, oauthGarden, PASSPHRASE } from '../testing/oauth-garden.ts';
import { TestClient } from '../testing/test-client.ts';

/** Stands in for GitHub and Google, by their paths. */
let place: Server;
let account: unknown = { id: 4711, sub: '1234567890', login: 'ann', email: 'ann@example.org' };
const exchanged: URLSearchParams[] = [];
let garden: OAuthGarden;
beforeAll(async () => {
  place = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'POST') {
      exchanged.push(new URLSearchParams(await text(request)));
      response.end(JSON.stringify({ access_token: 'theirs', token_type: 'bearer' }));
    } else if (request.headers.authorization === 'Bearer theirs') response.end(JSON.stringify(account));
    else response.writeHead(401).end('{}');
  });
  const port = await freePort();
  place.listen(port, '127.0.0.1');
  await once(place, 'listening');
  const origin = `http://127.0.0.1:${(place.address() as AddressInfo).port}`;
  const upstreams = (['github', 'google'] as const).map((provider) => ({
    provider,
    clientId: 'ours',
    clientSecret: 'hush',
    origin,
  }));
  garden = await oauthGarden({}, { upstreams });
});
afterEach(() => {
  account = { id: 4711, sub: '1234567890', login: 'ann', email: 'ann@example.org' };
  for (const { provider, subject } of garden.control.owner.upstreams())
    garden.control.owner.unbindUpstream(provider, subject);
});
afterAll(async () => {
  await garden.close();
  place.close();
});

/** Goes to the other place by the link of the page, agrees there, and comes back. */
async function signInAt(
  provider: UpstreamProvider,
  browser: Browser,
  change: (callback: URL) => void = () => {},
): Promise<{ readonly client: TestClient; readonly page: Visited; readonly asked: URL }> {
  const client = await TestClient.registered(garden);
  const start = await browser.visit(client.authorizeUrl());
  const [, link = ''] = new RegExp(`href="(/oauth/upstream/${provider}[^"]*)"`).exec(start.text) ?? [];
  const asked = new URL((await browser.ask(link)).location ?? '');
  const callback = new URL(asked.searchParams.get('redirect_uri') ?? '');
  callback.searchParams.set('code', 'their-code');
  callback.searchParams.set('state', asked.searchParams.get('state') ?? '');
  change(callback);
  return { client, asked, page: await browser.visit(callback.href) };
}

describe.each(['github', 'google'] as const)('signing in at %s', (provider) => {
  const subject = provider === 'github' ? '4711' : '1234567890';

  it('lets the owner in whose account is bound', async () => {
    garden.control.owner.bindUpstream(provider, subject);
    const browser = new Browser(garden.url);
    const { client, page, asked } = await signInAt(provider, browser);
    expect(page.text).toContain('Which notes may it see?');
    expect(asked.searchParams.get('code_challenge_method')).toBe('S256');
    expect(asked.searchParams.get('redirect_uri')).toBe(`${garden.url}/oauth/upstream/${provider}/callback`);
    expect(exchanged.at(-1)?.get('code_verifier')).toMatch(/^\S{43,}$/);
    const done = await browser.submit(page, '/consent', client.choice({}));
    expect(client.answered(done).get('code')).not.toBeNull();
  });

  it('binds an account by the passphrase, once', async () => {
    const browser = new Browser(garden.url);
    const { page } = await signInAt(provider, browser);
    expect(page.status).toBe(403);
    const wrong = await browser.submit(page, '/bind', { passphrase: 'a guess' });
    expect(wrong.status).toBe(403);
    expect(garden.control.owner.upstreams()).toEqual([]);
    const bound = await browser.submit(wrong, '/bind', { passphrase: PASSPHRASE });
    expect(bound.text).toContain('Which notes may it see?');
    const again = await signInAt(provider, new Browser(garden.url));
    expect(again.page.text).toContain('Which notes may it see?');
  });

  it.each([
    [
      'another account with the same address',
      { id: 4712, sub: '999', login: 'ann', email: 'ann@example.org' },
    ],
    ['an id that is a text', { id: '4711x', sub: 'x' }],
    ['no account', {}],
    ['a list', []],
  ])('lets nobody in for %s', async (_, other) => {
    garden.control.owner.bindUpstream(provider, subject);
    account = other;
    const { page } = await signInAt(provider, new Browser(garden.url));
    expect([403, 502]).toContain(page.status);
    expect(page.text).not.toContain('Which notes may it see?');
  });

  it.each<[string, (callback: URL) => void]>([
    ['another state', (url) => url.searchParams.set('state', `x${url.searchParams.get('state') ?? ''}`)],
    ['no state', (url) => url.searchParams.delete('state')],
    ['the same state twice', (url) => url.searchParams.append('state', url.searchParams.get('state') ?? '')],
  ])('lets nobody in with %s', async (_, change) => {
    garden.control.owner.bindUpstream(provider, subject);
    const { page } = await signInAt(provider, new Browser(garden.url), change);
    expect(page.status).toBe(502);
    expect(page.text).toContain('upstream_failed');
  });

  it('lets nobody in who began in another browser', async () => {
    garden.control.owner.bindUpstream(provider, subject);
    const { asked } = await signInAt(provider, new Browser(garden.url));
    const callback = `${asked.searchParams.get('redirect_uri')}?code=c&state=${asked.searchParams.get('state')}`;
    expect((await new Browser(garden.url).visit(callback)).status).toBe(502);
  });
});

it('says at the form that there were too many wrong passphrases, and leaves it there', async () => {
  const browser = new Browser(garden.url);
  let { page } = await signInAt('github', browser);
  for (let wrong = 0; wrong < 20 && page.status !== 429; wrong += 1)
    page = await browser.submit(page, '/bind', { passphrase: 'a guess' });
  expect([page.status, Number(page.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect(page.text).toContain('aria-describedby="failure"');
  expect(formOf(page, '/bind').hidden).toMatchObject({ subject: '4711' });
  expect(garden.control.owner.upstreams()).toEqual([]);
});

it('binds no account by a form that was not asked for', async () => {
  const answer = await new Browser(garden.url).ask('/oauth/upstream/github/bind', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ form: 'x', uid: 'u', subject: '1', passphrase: PASSPHRASE }).toString(),
  });
  expect(answer.status).toBe(403);
  expect(garden.control.owner.upstreams()).toEqual([]);
});
