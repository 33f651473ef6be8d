import { randomBytes } from 'node:crypto';
import { parseTrailRules } from '@grove/trails';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog, withoutSecrets } from './log.ts';
import { Browser } from './oauth/testing/browser.ts';
import { type OAuthGarden, oauthGarden, PASSPHRASE } from './oauth/testing/oauth-garden.ts';
import { callTool, postJson, TestClient } from './oauth/testing/test-client.ts';

const lines: string[] = [];
const log = createLog('trace', { write: (line: string) => lines.push(line) });

let garden: OAuthGarden;
beforeAll(async () => {
  garden = await oauthGarden({}, { log });
});
afterAll(() => garden.close());

/** Throws with the line where a secret stands in one, as it is or as an address has it. */
function expectUnlogged(secrets: readonly string[]): void {
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(7);
    for (const form of [
      secret,
      encodeURIComponent(secret),
      new URLSearchParams({ s: secret }).toString().slice(2),
    ])
      expect(lines.filter((line) => line.includes(form))).toEqual([]);
  }
}

const rules = parseTrailRules({ allowPaths: ['Compost.md'] });
const letters = (): string => randomBytes(32).toString('base64url');

describe('no line of the log, at its most talkative, holds a secret', () => {
  it('of a client on the whole way to its tokens and past them', async () => {
    const begin = lines.length;
    const { client: confidential, secret } = garden.control.clients.create({
      name: 'Static',
      redirectUris: ['https://static.example/callback'],
    });
    const clients = [
      await TestClient.registered(garden),
      await TestClient.registered(garden, { token_endpoint_auth_method: 'client_secret_post' }),
      new TestClient(garden, confidential.id, 'https://static.example/callback', secret),
    ];
    const secrets: string[] = [PASSPHRASE, secret];
    for (const client of clients) {
      const browser = new Browser(garden.url);
      const answer = await client.authorize({}, {}, browser);
      const code = answer.get('code') ?? '';
      const { status, body } = await client.exchange(code);
      expect(status).toBe(200);
      const { access_token: access, refresh_token: refresh } = body as Record<string, string>;
      expect((await callTool(garden, String(access))).text).toContain('Compost.md');
      const again = await client.refresh(String(refresh));
      expect(again.status).toBe(200);
      // Refused too: a code and a token that were used, and what is none.
      await client.exchange(code);
      await client.exchange(letters());
      await client.refresh(String(refresh));
      await client.revoke(String(again.body.access_token));
      await callTool(garden, String(again.body.access_token));
      secrets.push(code, client.verifier, client.state, String(access), String(refresh));
      secrets.push(String(again.body.access_token), String(again.body.refresh_token));
      if (client.secret !== null) secrets.push(client.secret);
      secrets.push(...browser.cookies().map(({ value }) => value));
    }
    expect(lines.slice(begin).join('')).toContain('tokens were issued');
    expectUnlogged(secrets.filter((each) => each.length > 7));
  });

  it('of who signs in by a wrong passphrase, a token or an invite', async () => {
    const made = garden.control.trails.create({ name: 'Guest', vault: garden.opened.slug, rules });
    const wrong = `wrong ${letters()}`;
    const client = await TestClient.registered(garden);
    const browser = new Browser(garden.url);
    const page = await browser.visit(client.authorizeUrl());
    await browser.submit(page, '/owner', { passphrase: wrong });
    await browser.submit(page, '/trail', { secret: wrong });
    for (const secret of [made.token, made.invite, `${garden.url}/invite/${made.invite}`])
      await new Browser(garden.url)
        .visit(client.authorizeUrl())
        .then((each) => browser.submit(each, '/trail', { secret }));
    const guest = new Browser(garden.url);
    await guest.visit(`/invite/${made.invite}`);
    await guest.visit(`/invite/${letters()}`);
    expectUnlogged([wrong, made.token, made.invite, made.invite.slice('invite_'.length)]);
  });

  it('of the first start, whose link leads to the page on which a passphrase is set', async () => {
    const token = garden.control.owner.setupToken();
    const browser = new Browser(garden.url);
    await browser.visit(`/owner/setup?token=${token}`);
    await browser.visit(`/owner/setup?token=${letters()}`);
    expectUnlogged([token, token.slice('setup_'.length)]);
  });

  it('at any route, wherever it is put', async () => {
    const made = garden.control.keys.create({ name: 'Laptop', vault: garden.opened.slug });
    const secrets = {
      key: made.token,
      access: letters(),
      cookie: letters(),
      passphrase: `pass ${letters()}`,
      code: letters(),
      invite: `invite_${letters()}`,
    };
    const { key, access, cookie, passphrase, code, invite } = secrets;
    const routes = [...garden.app.offers].filter(([url]) => url !== '*');
    expect(routes.length).toBeGreaterThan(30);
    const query = new URLSearchParams({ code, token: access, state: code, passphrase, secret: invite });
    for (const [pattern, { methods }] of routes)
      for (const method of methods.keys()) {
        const path = pattern
          .replace(/:secret/, invite)
          .replace('*', 'Compost.md')
          .replaceAll(/:\w+/g, code);
        const fields = {
          code,
          token: access,
          refresh_token: access,
          passphrase,
          secret: invite,
          client_secret: access,
        };
        for (const authorization of [
          `Bearer ${key}`,
          `Bearer ${access}`,
          `Basic ${btoa(`${code}:${access}`)}`,
        ])
          await garden.app.inject({
            method: method as 'POST',
            url: `${path}?${query}`,
            headers: {
              authorization,
              cookie: `grove_oauth=${cookie}; grove_owner=${cookie}`,
              'content-type': 'application/json',
            },
            payload: JSON.stringify(fields),
          });
        await garden.app.inject({
          method: method as 'POST',
          url: path,
          headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: `grove_owner=${cookie}` },
          payload: new URLSearchParams(fields).toString(),
        });
      }
    // Which is read before the rest of the request, and may be told of.
    await postJson(`${garden.url}/oauth/register`, {
      client_name: passphrase,
      redirect_uris: [`https://x/?token=${access}`],
    });
    expect(lines.join('')).toContain('"route":"/oauth/token"');
    const { passphrase: _, ...others } = secrets;
    expectUnlogged(Object.values(others));
  });

  it('of an object or an error that somebody logs as it is', () => {
    const before = lines.length;
    const [one, two, three] = [letters(), letters(), letters()] as [string, string, string];
    log.error({
      req: { headers: { authorization: `Bearer ${one}`, cookie: `a=${two}`, 'set-cookie': [`b=${three}`] } },
      headers: { authorization: one, cookie: two, 'set-cookie': three },
      body: { passphrase: one, password: two, client_secret: three, token: one },
      deep: { payload: { access_token: one, refresh_token: two, code_verifier: three } },
      authorization: one,
      'set-cookie': two,
      token: three,
    });
    log.error({
      err: new Error(`GET https://x.example/cb?state=${one}&code=${two}#access_token=${three} failed`),
    });
    log.error(`sent with Bearer ${one}, then with Basic ${two}`);
    expect(lines).toHaveLength(before + 3);
    expectUnlogged([one, two, three]);
  });
});

describe('withoutSecrets', () => {
  it.each([
    ['{"url":"/owner/setup?token=abc"}', '{"url":"/owner/setup?token=[hidden]"}'],
    ['fetching https://ann:s3cret@git.example/notes.git', 'fetching https://[hidden]@git.example/notes.git'],
    ['https://git.example/@ann and ann@example.org', 'https://git.example/@ann and ann@example.org'],
    ['/invite/anything/at/all', '/invite/[hidden]/at/all'],
    ['Bearer realm="grove", error="invalid_token"', 'Bearer realm="grove", error="invalid_token"'],
    ['a token is missing; code=3', 'a token is missing; code=3'],
  ])('of %s is %s', (text, left) => expect(withoutSecrets(text)).toBe(left));
});
