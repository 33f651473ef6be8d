import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_LIMITS } from '../../http/options.ts';
import { type DocumentServer, documentServer } from '../testing/document-server.ts';
import { type OAuthGarden, oauthGarden } from '../testing/oauth-garden.ts';
import { callTool, postJson, TestClient } from '../testing/test-client.ts';

let ahead = 0;
let documents: DocumentServer;
let garden: OAuthGarden;
beforeAll(async () => {
  documents = await documentServer();
  garden = await oauthGarden(
    {},
    { fetchDocument: documents.fetchDocument, clock: { now: () => Date.now() + ahead } },
  );
});
afterAll(async () => {
  await garden.close();
  await documents.close();
});

/** What the clients say of themselves, as their makers publish it or as reports of their users have it. */
const REGISTRATIONS: [string, Record<string, unknown>, string][] = [
  [
    'Claude',
    {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'claudeai',
    },
    'https://claude.ai/api/mcp/auth_callback',
  ],
  [
    'Claude Code',
    {
      client_name: 'Claude Code (grove)',
      redirect_uris: ['http://localhost:53682/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    'http://localhost:53682/callback',
  ],
  [
    'ChatGPT',
    {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
    },
    'https://chatgpt.com/connector_platform_oauth_redirect',
  ],
  [
    'Cursor, by its own scheme',
    {
      client_name: 'Cursor',
      redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    'cursor://anysphere.cursor-mcp/oauth/callback',
  ],
  [
    'Cursor, by a port',
    {
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      application_type: 'web',
      token_endpoint_auth_method: 'none',
    },
    'http://localhost:8787/callback',
  ],
  [
    'VS Code',
    {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      redirect_uris: [
        'https://vscode.dev/redirect',
        'http://localhost/',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      scope: 'openid vault:read files:everything',
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    'http://127.0.0.1:33418/',
  ],
];

describe('a client that registers itself', () => {
  it.each(REGISTRATIONS)('connects as %s does', async (_, said, redirect) => {
    const { status, body } = await postJson(`${garden.url}/oauth/register`, said);
    expect(status).toBe(201);
    const secret = (body.client_secret as string | undefined) ?? null;
    expect(secret === null).toBe(said.token_endpoint_auth_method === 'none');
    const client = new TestClient(garden, String(body.client_id), redirect, secret);
    const tokens = await client.connect();
    expect((await callTool(garden, tokens.access_token)).status).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('may listen on another port of its own machine than it said', async () => {
    const client = await TestClient.registered(garden, { redirect_uris: ['http://127.0.0.1:33418/'] });
    const moved = new TestClient(garden, client.id, 'http://127.0.0.1:51234/');
    expect((await moved.connect()).access_token).toBeDefined();
  });

  it('is refused with another secret, or none', async () => {
    const client = await TestClient.registered(garden, { token_endpoint_auth_method: 'client_secret_post' });
    const answer = await client.authorize();
    const code = answer.get('code');
    for (const secret of ['wrong', null, '']) {
      const { status, body } = await client.exchange(code, { client_secret: secret });
      expect([status, body.error]).toEqual([401, 'invalid_client']);
    }
    expect((await client.exchange(code)).status).toBe(200);
  });

  it('is forgotten while nobody agrees to it, and kept from then on', async () => {
    const [unused, used] = [await TestClient.registered(garden), await TestClient.registered(garden)];
    await used.connect();
    ahead += 25 * 60 * 60 * 1000;
    const statusOf = async (client: TestClient): Promise<number> =>
      (await fetch(client.authorizeUrl(), { redirect: 'manual' })).status;
    expect([await statusOf(unused), await statusOf(used)]).toEqual([400, 303]);
    ahead = 0;
  });
});

it('registers only so many clients of one address in a minute', async () => {
  const limited = await oauthGarden({}, { limits: DEFAULT_LIMITS });
  onTestFinished(() => limited.close());
  const register = () =>
    postJson(`${limited.url}/oauth/register`, { redirect_uris: ['https://client.example/callback'] });
  for (let count = 0; count < DEFAULT_LIMITS.maxRegistrations; count += 1)
    expect((await register()).status).toBe(201);
  const refused = await register();
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

const DOCUMENTS: [string, string, Record<string, unknown>, string][] = [
  [
    'Claude Code, whose addresses have no port',
    'https://claude.ai/oauth/claude-code-client-metadata',
    {
      client_name: 'Claude Code',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    'http://localhost:49152/callback',
  ],
  [
    'Claude',
    'https://claude.ai/oauth/mcp-client-metadata',
    {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'none',
    },
    'https://claude.com/api/mcp/auth_callback',
  ],
  [
    'ChatGPT',
    'https://chatgpt.com/oauth/client-metadata.json',
    {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector/oauth/abc123'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      logo_uri: 'http://chatgpt.com/logo.png',
    },
    'https://chatgpt.com/connector/oauth/abc123',
  ],
  [
    'VS Code',
    'https://vscode.dev/oauth/client-metadata.json',
    {
      client_name: 'Visual Studio Code',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
      token_endpoint_auth_method: 'none',
    },
    'http://127.0.0.1:60001/',
  ],
];

describe('a client that is known by the address of its document', () => {
  it.each(DOCUMENTS)('connects as %s does', async (_, id, said, redirect) => {
    documents.put(id, { client_id: id, ...said });
    const client = new TestClient(garden, id, redirect);
    const tokens = await client.connect();
    expect((await callTool(garden, tokens.access_token)).status).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    expect(garden.control.grants.list()[0]).toMatchObject({ clientId: id, clientName: said.client_name });
  });

  it.each<[string, object | string, number?]>([
    [
      'speaks for another address',
      { client_id: 'https://other.example/client', redirect_uris: ['https://a.example/cb'] },
    ],
    ['is not JSON', 'hello'],
    ['is a list', []],
    ['names no address to go on to', {}],
    ['has a secret', { redirect_uris: ['https://a.example/cb'], client_secret: 'x' }],
    [
      'wants to prove itself by a secret',
      { redirect_uris: ['https://a.example/cb'], token_endpoint_auth_method: 'client_secret_post' },
    ],
    ['is large', { redirect_uris: ['https://a.example/cb'], client_name: 'x'.repeat(100_000) }],
    ['is elsewhere', 'https://a.example/other.json', 302],
    ['is away', {}, 404],
    ['fails', {}, 500],
  ])('is refused when the document %s', async (name, document, status) => {
    const id = `https://a.example/${encodeURIComponent(name)}.json`;
    documents.put(id, typeof document === 'string' ? document : { client_id: id, ...document }, status);
    const before = documents.asked.length;
    const answer = await fetch(new TestClient(garden, id, 'https://a.example/cb').authorizeUrl(), {
      redirect: 'manual',
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('This could not be connected');
    // Once more for the page of the error; nothing else is fetched.
    expect(new Set(documents.asked.slice(before))).toEqual(new Set([id]));
  });
});

describe('a client that the owner made', () => {
  it.each(['client_secret_post', 'client_secret_basic'])('connects, proving itself by %s', async (method) => {
    const redirect = 'https://app.example/oauth/callback';
    const made = garden.control.clients.create({ name: `Own app ${method}`, redirectUris: [redirect] });
    const client = new TestClient(garden, made.client.id, redirect, made.secret);
    const answer = await client.authorize();
    const fields = {
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      redirect_uri: redirect,
      code_verifier: client.verifier,
    };
    const wrong = await postForm(method, { ...fields }, made.client.id, `${made.secret.slice(0, -1)}x`);
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client']);
    const { status, body } = await postForm(method, fields, made.client.id, made.secret);
    expect(status).toBe(200);
    expect((await callTool(garden, String(body.access_token))).status).toBe(200);
  });

  it('is let in no more when it was removed', async () => {
    const redirect = 'https://app.example/oauth/callback';
    const made = garden.control.clients.create({ name: 'Passing', redirectUris: [redirect] });
    const client = new TestClient(garden, made.client.id, redirect, made.secret);
    const tokens = await client.connect();
    garden.control.clients.remove(made.client.id);
    expect((await callTool(garden, tokens.access_token)).status).toBe(401);
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_client');
    expect((await fetch(client.authorizeUrl(), { redirect: 'manual' })).status).toBe(400);
  });
});

async function postForm(
  method: string,
  fields: Readonly<Record<string, string>>,
  id: string,
  secret: string,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const isBasic = method === 'client_secret_basic';
  const answer = await fetch(`${garden.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...fields, ...(isBasic ? {} : { client_id: id, client_secret: secret }) }),
    ...(isBasic
      ? { headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` } }
      : {}),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
