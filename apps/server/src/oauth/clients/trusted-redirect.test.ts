import { parseTrailRules } from '@grove/trails';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, type Visited } from '../testing/browser.ts';
import { type DocumentServer, documentServer } from '../testing/document-server.ts';
import { type OAuthGarden, oauthGarden } from '../testing/oauth-garden.ts';
import { postJson, TestClient } from '../testing/test-client.ts';

let documents: DocumentServer;
let garden: OAuthGarden;
beforeAll(async () => {
  documents = await documentServer();
  garden = await oauthGarden({}, { fetchDocument: documents.fetchDocument });
});
afterAll(async () => {
  await garden.close();
  await documents.close();
});

const visit = async (url: string): Promise<Visited> => await new Browser(garden.url).visit(url);

/** A request that nobody is asked about before it is refused. */
const REFUSED: readonly (readonly [string, Readonly<Record<string, string | null>>, string])[] = [
  ['wants no page shown', { prompt: 'none' }, 'login_required'],
  ['has no challenge', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
  ['asks for tokens at once', { response_type: 'token' }, 'unsupported_response_type'],
  ['is for another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ['wants its answer posted', { prompt: 'none', response_mode: 'form_post' }, 'login_required'],
  ['leaves out its only address', { prompt: 'none', redirect_uri: null }, 'login_required'],
];

describe.each(REFUSED)('a request that %s', (_, changes, error) => {
  function expectOurPage(client: TestClient, page: Visited): void {
    expect(page.status).toBe(400);
    expect(page.location).toBeNull();
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const told of ['This could not be connected', error, client.id, 'client.example', 'Test client'])
      expect(page.text).toContain(told);
    // Nothing of the page leads there.
    expect(page.text).not.toContain(client.redirectUri);
    expect(page.text).not.toContain('<form');
  }

  it('sends nobody to a client that registered itself', async () => {
    const client = await TestClient.registered(garden);
    expectOurPage(client, await visit(client.authorizeUrl(changes)));
  });

  it('sends nobody to a client that is known by its document', async () => {
    const id = 'https://client.example/client.json';
    const redirectUri = 'https://client.example/callback';
    documents.put(id, {
      client_id: id,
      client_name: 'Test client',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
    });
    const client = new TestClient(garden, id, redirectUri);
    expectOurPage(client, await visit(client.authorizeUrl(changes)));
  });
});

it('sends nobody on from where an authorization that is over would go on', async () => {
  const client = await TestClient.registered(garden);
  const url = new URL(client.authorizeUrl());
  url.pathname += '/anything';
  const page = await visit(url.href);
  expect([page.status, page.location]).toEqual([400, null]);
});

describe('an address that people are sent to though the request is refused', () => {
  it('is one that the owner agreed to, and no other of the client', async () => {
    const other = 'https://evil.example/callback';
    const client = await TestClient.registered(garden, {
      redirect_uris: ['https://client.example/callback', other],
    });
    await client.connect();
    const page = await visit(client.authorizeUrl({ prompt: 'none' }));
    expect(client.answered(page).get('error')).toBe('login_required');
    const elsewhere = await visit(client.authorizeUrl({ prompt: 'none', redirect_uri: other }));
    expect([elsewhere.status, elsewhere.location]).toEqual([400, null]);
  });

  it('is one of a client that the owner made', async () => {
    const redirectUri = 'https://own.example/callback';
    const made = garden.control.clients.create({ name: 'Own', redirectUris: [redirectUri] });
    const client = new TestClient(garden, made.client.id, redirectUri, made.secret);
    const page = await visit(client.authorizeUrl({ prompt: 'none' }));
    expect(client.answered(page).get('error')).toBe('login_required');
  });

  it('is one of the device itself', async () => {
    const client = await TestClient.registered(garden, { redirect_uris: ['http://127.0.0.1/callback'] });
    const moved = new TestClient(garden, client.id, 'http://127.0.0.1:49152/callback');
    const page = await visit(moved.authorizeUrl({ prompt: 'none' }));
    expect(moved.answered(page).get('error')).toBe('login_required');
  });

  it('is none that only a guest agreed to', async () => {
    const { token } = garden.control.trails.create({
      name: 'Guests',
      vault: garden.opened.slug,
      rules: parseTrailRules({ allowTags: ['garden'] }),
    });
    const client = await TestClient.registered(garden);
    const browser = new Browser(garden.url);
    const page = await browser.submit(await browser.visit(client.authorizeUrl()), '/trail', {
      secret: token,
    });
    client.answered(await browser.submit(page, '/consent', { access: 'read' }));
    const refused = await visit(client.authorizeUrl({ prompt: 'none' }));
    expect([refused.status, refused.location]).toEqual([400, null]);
  });
});

describe('whoever does not agree to a client', () => {
  const refusals = (): number => {
    garden.control.audit.flush();
    return garden.control.audit.list({}).filter(({ tool }) => tool === 'refusal').length;
  };

  it('stays here, and goes back only by asking for it', async () => {
    const client = await TestClient.registered(garden);
    const browser = new Browser(garden.url);
    const before = refusals();
    const page = await browser.submit(await browser.visit(client.authorizeUrl()), '/refuse');
    expect([page.status, page.location]).toEqual([200, null]);
    expect(page.text).toContain('Not connected');
    const answer = client.answered(await browser.submit(page, '/refuse'));
    expect([answer.get('error'), answer.get('state')]).toEqual(['access_denied', client.state]);
    expect(refusals()).toBe(before + 1);
  });

  it('is sent back to a program of the device at once', async () => {
    const redirectUri = 'http://localhost:53682/callback';
    const { body } = await postJson(`${garden.url}/oauth/register`, { redirect_uris: [redirectUri] });
    const client = new TestClient(garden, String(body.client_id), redirectUri);
    const browser = new Browser(garden.url);
    const page = await browser.submit(await browser.visit(client.authorizeUrl()), '/refuse');
    expect(client.answered(page).get('error')).toBe('access_denied');
  });
});
