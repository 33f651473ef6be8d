import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Browser } from './testing/browser.ts';
import { type OAuthGarden, oauthGarden, PASSPHRASE } from './testing/oauth-garden.ts';
import { callTool, TestClient } from './testing/test-client.ts';

let ahead = 0;
let garden: OAuthGarden;
beforeAll(async () => {
  garden = await oauthGarden({}, { clock: { now: () => Date.now() + ahead } });
});
afterAll(() => garden.close());

describe('what leads a client to its tokens', () => {
  it('begins with a refused call, which names the metadata of the resource', async () => {
    const refused = await fetch(garden.resource, { method: 'POST' });
    expect(refused.status).toBe(401);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    // Clients that find a scope here ask for it alone.
    expect(challenge).not.toContain('scope=');
    const about = await (await fetch(metadata)).json();
    expect(about).toEqual({
      resource: garden.resource,
      authorization_servers: [garden.url],
      scopes_supported: ['vault:read', 'vault:write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Grove',
    });
    const atRoot = await fetch(`${garden.url}/.well-known/oauth-protected-resource`);
    expect(await atRoot.json()).toEqual(about);
  });

  it.each(['oauth-authorization-server', 'openid-configuration'])(
    'goes on with %s, whatever name the server was asked by',
    async (document) => {
      const port = new URL(garden.url).port;
      const found = await fetch(`http://localhost:${port}/.well-known/${document}`, {
        headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      });
      expect(found.status).toBe(200);
      expect(await found.json()).toMatchObject({
        issuer: garden.url,
        authorization_endpoint: `${garden.url}/oauth/authorize`,
        token_endpoint: `${garden.url}/oauth/token`,
        registration_endpoint: `${garden.url}/oauth/register`,
        revocation_endpoint: `${garden.url}/oauth/revoke`,
        jwks_uri: `${garden.url}/oauth/jwks`,
        code_challenge_methods_supported: ['S256'],
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        scopes_supported: ['openid', 'offline_access', 'vault:read', 'vault:write'],
        client_id_metadata_document_supported: true,
        authorization_response_iss_parameter_supported: true,
        token_endpoint_auth_methods_supported: expect.arrayContaining(['none', 'client_secret_basic']),
      });
    },
  );

  it('ends with tokens that a call is made with', async () => {
    const client = await TestClient.registered(garden);
    const answer = await client.authorize();
    expect(answer.get('state')).toBe(client.state);
    expect(answer.get('iss')).toBe(garden.url);
    const { status, body, headers } = await client.exchange(answer.get('code'));
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'vault:read vault:write' });
    const called = await callTool(garden, String(body.access_token));
    expect(called.status).toBe(200);
    expect(called.text).toContain('Compost.md');
  });

  it('can be gone by a page in a browser, whose origin is allowed', async () => {
    const client = await TestClient.registered(garden);
    const answer = await client.authorize();
    const origin = 'http://localhost:6274';
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
    ])
      expect(
        (await fetch(`${garden.url}${path}`, { headers: { origin } })).headers.get(
          'access-control-allow-origin',
        ),
      ).toBe(origin);
    const preflight = await fetch(`${garden.url}/oauth/register`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    const exchanged = await fetch(`${garden.url}/oauth/token`, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({
        client_id: client.id,
        grant_type: 'authorization_code',
        code: answer.get('code') ?? '',
        redirect_uri: client.redirectUri,
        code_verifier: client.verifier,
      }),
    });
    expect(exchanged.status).toBe(200);
    expect(exchanged.headers.get('access-control-allow-origin')).toBe(origin);
    const foreign = await fetch(`${garden.url}/oauth/token`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
  });

  it('asks for all of the vault where a client names no scope of it', async () => {
    const client = await TestClient.registered(garden);
    expect((await client.connect({}, { scope: null })).scope).toBe('vault:read vault:write');
    expect((await client.connect({}, { scope: 'claudeai' })).scope).toBe('vault:read vault:write');
    expect((await client.connect({}, { scope: 'vault:write' })).scope).toBe('vault:read vault:write');
    expect((await client.connect({}, { scope: 'vault:read' })).scope).toBe('vault:read');
  });

  it('gives an identity token to a client that asks for openid', async () => {
    const client = await TestClient.registered(garden);
    const tokens = await client.connect({}, { scope: 'openid vault:read' });
    expect(tokens).toHaveProperty('id_token');
  });

  it.each(['login', 'consent', 'select_account', 'login consent'])('takes prompt=%s', async (prompt) => {
    const client = await TestClient.registered(garden);
    expect((await client.connect({}, { prompt })).access_token).toBeDefined();
  });

  it('tells a client that wants no page shown that a person is needed', async () => {
    const client = await TestClient.registered(garden);
    await client.connect();
    const page = await new Browser(garden.url).visit(client.authorizeUrl({ prompt: 'none' }));
    expect(client.answered(page).get('error')).toBe('login_required');
  });

  it('is not followed where the person does not agree', async () => {
    const client = await TestClient.registered(garden);
    await client.connect();
    const browser = new Browser(garden.url);
    const page = await browser.visit(client.authorizeUrl());
    const answer = client.answered(await browser.submit(page, '/refuse'));
    expect([answer.get('error'), answer.get('code')]).toEqual(['access_denied', null]);
    const again = await browser.visit(client.authorizeUrl());
    const consent = await browser.submit(again, '/owner', { passphrase: PASSPHRASE });
    expect(consent.text).toContain('Which notes may it see?');
    expect(client.answered(await browser.submit(consent, '/refuse')).get('error')).toBe('access_denied');
  });

  it('is asked for each time, whatever was agreed to before', async () => {
    const client = await TestClient.registered(garden);
    const browser = new Browser(garden.url);
    await client.authorize({}, {}, browser);
    const again = await browser.visit(client.authorizeUrl());
    // The owner need not sign in again, and has to agree.
    expect(again.text).toContain('Which notes may it see?');
  });

  it('lets two clients of one browser wait at the same time', async () => {
    const browser = new Browser(garden.url);
    const clients = [await TestClient.registered(garden), await TestClient.registered(garden)] as const;
    const [first, second] = clients;
    const pages = [
      await browser.visit(first.authorizeUrl()),
      await browser.visit(second.authorizeUrl()),
    ] as const;
    for (const index of [1, 0] as const) {
      const consent = await browser.submit(pages[index], '/owner', { passphrase: PASSPHRASE });
      const done = await browser.submit(consent, '/consent', clients[index].choice({}));
      expect((await clients[index].exchange(clients[index].answered(done).get('code'))).status).toBe(200);
    }
  });
});

describe('tokens', () => {
  it('are kept as hashes', async () => {
    const client = await TestClient.registered(garden);
    const tokens = await client.connect();
    const { readdirSync, readFileSync } = await import('node:fs');
    const bytes = Buffer.concat(
      readdirSync(garden.dataDir)
        .filter((name) => name.startsWith('control.db'))
        .map((name) => readFileSync(`${garden.dataDir}/${name}`)),
    );
    expect(bytes.includes(client.id)).toBe(true);
    expect(bytes.includes(tokens.access_token)).toBe(false);
    expect(bytes.includes(tokens.refresh_token)).toBe(false);
  });

  it('survive a restart', async () => {
    const client = await TestClient.registered(garden);
    const tokens = await client.connect();
    await garden.restart();
    expect((await callTool(garden, tokens.access_token)).status).toBe(200);
    const renewed = await client.refresh(tokens.refresh_token);
    expect(renewed.status).toBe(200);
    expect((await callTool(garden, String(renewed.body.access_token))).status).toBe(200);
  });

  it('are renewed in turn, and twice where two requests come at the same time', async () => {
    const client = await TestClient.registered(garden);
    const tokens = await client.connect();
    const both = await Promise.all([
      client.refresh(tokens.refresh_token),
      client.refresh(tokens.refresh_token),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const [first, second] = both.map(({ body }) => String(body.refresh_token));
    expect(new Set([tokens.refresh_token, first, second]).size).toBe(3);
    expect((await client.refresh(first ?? '')).status).toBe(200);
    expect((await client.refresh(second ?? '')).status).toBe(200);
  });

  it.each([
    ['after the grace', 11_000],
    ['once the clock was put back', -3_600_000],
  ])('all end when a renewal is used again %s', async (_when, shift) => {
    const client = await TestClient.registered(garden);
    const tokens = await client.connect();
    const next = await client.refresh(tokens.refresh_token);
    ahead += shift;
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect((await client.refresh(String(next.body.refresh_token))).body.error).toBe('invalid_grant');
    expect((await callTool(garden, String(next.body.access_token))).status).toBe(401);
    expect(garden.control.grants.list()[0]).toMatchObject({ clientId: client.id, state: 'revoked' });
  });

  it.each(['access_token', 'refresh_token'] as const)('all end with a %s that is revoked', async (kind) => {
    const client = await TestClient.registered(garden);
    const tokens = await client.connect();
    expect(await client.revoke(tokens[kind])).toBe(200);
    expect((await callTool(garden, tokens.access_token)).status).toBe(401);
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('are not revoked for another client', async () => {
    const client = await TestClient.registered(garden);
    const tokens = await client.connect();
    const other = await TestClient.registered(garden);
    await other.revoke(tokens.access_token);
    expect((await callTool(garden, tokens.access_token)).status).toBe(200);
  });

  it('end with the grant, which the owner revokes', async () => {
    const client = await TestClient.registered(garden);
    const tokens = await client.connect();
    expect((await callTool(garden, tokens.access_token)).status).toBe(200);
    const [grant] = garden.control.grants.list();
    garden.control.grants.revoke(grant?.id ?? '');
    const refused = await callTool(garden, tokens.access_token);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token", resource_metadata="');
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });
});

describe('a code that is not redeemed', () => {
  it('leaves no grant behind, and does not keep the client', async () => {
    const before = ahead;
    onTestFinished(() => {
      ahead = before;
    });
    const [passing, staying] = [await TestClient.registered(garden), await TestClient.registered(garden)];
    const answer = await passing.authorize();
    const tokens = await staying.connect();
    const stateOf = (client: TestClient): string | undefined =>
      garden.control.grants.list({ client: client.id })[0]?.state;
    expect([stateOf(passing), stateOf(staying)]).toEqual(['live', 'live']);
    ahead += 121_000;
    expect([stateOf(passing), stateOf(staying)]).toEqual([undefined, 'live']);
    expect((await passing.exchange(answer.get('code'))).body.error).toBe('invalid_grant');
    ahead += 24 * 3_600_000;
    expect((await staying.refresh(tokens.refresh_token)).status).toBe(200);
    expect((await new Browser(garden.url).visit(passing.authorizeUrl())).status).toBe(400);
    expect((await new Browser(garden.url).visit(staying.authorizeUrl())).status).toBe(200);
  });
});

describe('what the owner gives less of', () => {
  it('may only read, though more was asked for', async () => {
    const client = await TestClient.registered(garden);
    const tokens = await client.connect({ access: 'read' });
    expect(tokens.scope).toBe('vault:read');
    const { status, text } = await callTool(garden, tokens.access_token, 'write_note', {
      path: 'New.md',
      action: 'write',
      content: 'x',
    });
    // A challenge would send the client round in circles.
    expect(status).toBe(200);
    expect(text).not.toContain('insufficient_scope');
  });

  it('is led to ask again where it never asked to write', async () => {
    const client = await TestClient.registered(garden);
    const tokens = await client.connect({}, { scope: 'vault:read' });
    const refused = await callTool(garden, tokens.access_token, 'write_note', {
      path: 'New.md',
      action: 'write',
      content: 'x',
    });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer realm="grove", error="insufficient_scope", scope="vault:read vault:write", resource_metadata="${garden.url}/.well-known/oauth-protected-resource/mcp"`,
    );
    const more = await client.connect({}, { scope: 'vault:read vault:write' });
    expect(more.scope).toBe('vault:read vault:write');
  });
});
