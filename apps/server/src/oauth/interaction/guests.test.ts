import type { NewTrail, TrailWish } from '@grove/access';
import { parseTrailRules } from '@grove/trails';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, formOf, type Visited } from '../testing/browser.ts';
import { type OAuthGarden, oauthGarden, PASSPHRASE } from '../testing/oauth-garden.ts';
import { callTool, TestClient, type Tokens } from '../testing/test-client.ts';

let garden: OAuthGarden;
let made = 0;
beforeAll(async () => {
  garden = await oauthGarden({ 'Books/Herbs.md': '# Herbs\n\nXylophone of thyme. #books\n' });
});
afterAll(() => garden.close());

function trail(wish: Partial<TrailWish> = {}): NewTrail {
  made += 1;
  return garden.control.trails.create({
    name: `Book club ${made}`,
    vault: garden.opened.slug,
    rules: parseTrailRules({ allowTags: ['books'] }),
    ...wish,
  });
}

/** Who holds the secret signs in, and agrees as the page stands. */
async function connectAs(secret: string, access: 'read' | 'write' = 'read'): Promise<[TestClient, Tokens]> {
  const client = await TestClient.registered(garden);
  const browser = new Browser(garden.url);
  const page = await browser.visit(client.authorizeUrl());
  const consent = await browser.submit(page, '/trail', { secret });
  const answer = client.answered(await browser.submit(consent, '/consent', { access }));
  const { body } = await client.exchange(answer.get('code'));
  return [client, body as unknown as Tokens];
}

describe('who holds a trail', () => {
  it.each<[string, (made: NewTrail) => string]>([
    ['a token', ({ token }) => token],
    ['the secret of its invite', ({ invite }) => invite],
    ['the link of its invite', ({ invite }) => `${garden.url}/invite/${invite}`],
    ['the link, with blanks around it', ({ invite }) => `  ${garden.url}/invite/${invite}/\n`],
  ])('is let in by %s, to what the trail shows', async (_, secretOf) => {
    const [, tokens] = await connectAs(secretOf(trail()), 'write');
    expect(tokens.scope).toBe('vault:read');
    const shown = await callTool(garden, tokens.access_token, 'query', { query: 'xylophone' });
    expect(shown.text).toContain('Books/Herbs.md');
    expect(shown.text).not.toContain('Diary');
    const list = await callTool(garden, tokens.access_token, 'list_notes', {});
    expect(list.text).not.toContain('Compost');
  });

  it('is shown the name of the trail, and nothing else of the vault', async () => {
    const { token } = trail({ name: 'Herbs & spices' });
    trail({ name: 'Another secret trail' });
    const client = await TestClient.registered(garden);
    const browser = new Browser(garden.url);
    const page = await browser.submit(await browser.visit(client.authorizeUrl()), '/trail', {
      secret: token,
    });
    expect(page.text).toContain('Herbs &amp; spices');
    expect(page.text).not.toContain('Another secret trail');
    expect(page.text).not.toContain(garden.opened.slug);
    expect(page.text).not.toContain('Which notes may it see?');
  });

  it('gets no more by asking for it', async () => {
    const { token } = trail();
    const other = trail().trail;
    const client = await TestClient.registered(garden);
    const browser = new Browser(garden.url);
    const page = await browser.submit(await browser.visit(client.authorizeUrl()), '/trail', {
      secret: token,
    });
    const done = await browser.submit(page, '/consent', {
      notes: `vault:${garden.opened.slug}`,
      access: 'write',
    });
    const { body } = await client.exchange(client.answered(done).get('code'));
    expect(body.scope).toBe('vault:read');
    const [grant] = garden.control.grants.list();
    expect(grant?.account).not.toBe('owner');
    expect(grant?.trail).not.toBe(other.id);
  });

  it('may write where the trail may', async () => {
    const rules = parseTrailRules({ allowPaths: ['Books'], writeFolders: ['Books'] });
    const [, tokens] = await connectAs(trail({ rules, writes: 5 }).token, 'write');
    expect(tokens.scope).toBe('vault:read vault:write');
    const [, reading] = await connectAs(trail({ rules, writes: 5 }).token, 'read');
    expect(reading.scope).toBe('vault:read');
  });

  it.each([
    'invite_x',
    'grove_x',
    '',
    'x'.repeat(1_000),
    'https://notes.example.org/invite/',
    '__proto__',
    "' OR 1=1 --",
  ])('is not let in by %j', async (secret) => {
    const client = await TestClient.registered(garden);
    const browser = new Browser(garden.url);
    const page = await browser.submit(await browser.visit(client.authorizeUrl()), '/trail', { secret });
    expect(page.status).toBe(403);
    expect(page.text).toContain('No trail answers to this.');
  });

  it('lets in no end of clients', async () => {
    const { trail: shared, token } = trail();
    const client = await TestClient.registered(garden);
    const account = `trail:${shared.id}` as const;
    const terms = {
      ...{ account, vault: shared.vault, trailId: shared.id, scopes: ['read'] as const, askedToWrite: false },
      ...{
        clientId: client.id,
        clientName: 'Other',
        redirectHost: 'other.example',
        resource: `${garden.url}/mcp`,
      },
    };
    for (let count = 0; count < 200; count += 1) {
      const grantId = `grant-${count}`;
      garden.control.oauth.upsert('Grant', grantId, { accountId: account, clientId: client.id }, 60_000);
      garden.control.grants.record({ ...terms, grantId });
    }
    const browser = new Browser(garden.url);
    const page = await browser.visit(client.authorizeUrl());
    const consent = await browser.submit(page, '/trail', { secret: token });
    const refused = await browser.submit(consent, '/consent', { access: 'read' });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('clients_full')]);
    garden.control.grants.revoke('grant-7');
    client.answered(await browser.submit(consent, '/consent', { access: 'read' }));
  });

  it('is not let in by a key of the owner, or by a token of a client', async () => {
    const key = garden.control.keys.create({ name: 'Own', vault: garden.opened.slug });
    const [, tokens] = await connectAs(trail().token);
    for (const secret of [key.token, tokens.access_token]) {
      const client = await TestClient.registered(garden);
      const browser = new Browser(garden.url);
      const page = await browser.submit(await browser.visit(client.authorizeUrl()), '/trail', { secret });
      expect(page.status).toBe(403);
    }
  });

  it.each<[string, (id: string) => void]>([
    ['disabled', (id) => garden.control.trails.disable(id)],
    ['deleted', (id) => garden.control.trails.remove(id)],
    [
      'narrowed',
      (id) => garden.control.trails.update(id, { rules: parseTrailRules({ allowTags: ['nothing'] }) }),
    ],
  ])('loses what the trail showed once it is %s', async (how, end) => {
    const { trail: shared, token } = trail();
    const [client, tokens] = await connectAs(token);
    const before = await callTool(garden, tokens.access_token, 'query', { query: 'xylophone' });
    expect(before.text).toContain('Herbs');
    end(shared.id);
    const after = await callTool(garden, tokens.access_token, 'query', { query: 'xylophone' });
    expect(after.text).not.toContain('Herbs');
    expect(after.status).toBe(how === 'narrowed' ? 200 : 401);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(how === 'narrowed' ? 200 : 400);
  });

  it('cannot agree with a trail that ended meanwhile', async () => {
    const { trail: shared, token } = trail();
    const client = await TestClient.registered(garden);
    const browser = new Browser(garden.url);
    const page = await browser.submit(await browser.visit(client.authorizeUrl()), '/trail', {
      secret: token,
    });
    garden.control.trails.disable(shared.id);
    expect((await browser.submit(page, '/consent', { access: 'read' })).status).toBe(400);
  });
});

describe('the owner', () => {
  it('may let a client in by a trail alone', async () => {
    const { trail: shared } = trail();
    const client = await TestClient.registered(garden);
    const tokens = await client.connect({ notes: `trail:${shared.id}`, access: 'write' });
    expect(tokens.scope).toBe('vault:read');
    expect(garden.control.grants.list()[0]).toMatchObject({
      trail: shared.id,
      account: `trail:${shared.id}`,
    });
    const list = await callTool(garden, tokens.access_token, 'list_notes', {});
    expect(list.text).toContain('Herbs');
    expect(list.text).not.toContain('Compost');
  });

  it('cannot choose what is not there', async () => {
    for (const notes of ['vault:other', 'trail:t_none', '', '__proto__']) {
      const client = await TestClient.registered(garden);
      await expect(client.connect({ notes })).rejects.toThrow('not sent back: 4');
    }
  });
});

describe('the page of an invite', () => {
  const visit = async (secret: string): Promise<[Browser, Visited]> => {
    const browser = new Browser(garden.url);
    return [browser, await browser.visit(`/invite/${secret}`)];
  };

  it('has the address, and what to do in each client', async () => {
    const { trail: shared, invite } = trail();
    const [, page] = await visit(invite);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`Notes for you: ${shared.name}`);
    expect(page.text).toContain(garden.resource);
    for (const client of ['Claude', 'ChatGPT', 'Claude Code', 'Cursor', 'VS Code'])
      expect(page.text).toContain(`<summary>${client}`);
    expect(page.text).not.toContain(garden.opened.slug);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
  });

  it('lets the browser sign in without a secret to paste', async () => {
    const { trail: shared, invite } = trail();
    const [browser] = await visit(invite);
    const client = await TestClient.registered(garden);
    const page = await browser.visit(client.authorizeUrl());
    expect(page.text).toContain(`Continue as guest of “${shared.name}”`);
    const consent = await browser.submit(page, '/invite');
    const answer = client.answered(await browser.submit(consent, '/consent'));
    const { body } = await client.exchange(answer.get('code'));
    expect((await callTool(garden, String(body.access_token), 'list_notes', {})).text).toContain('Herbs');
    garden.control.trails.newInvite(shared.id);
    const later = await browser.visit(client.authorizeUrl());
    expect(later.text).not.toContain('Continue as guest');
  });

  it('makes a token for a client that takes one, and shows it once', async () => {
    const { trail: shared, invite } = trail();
    const [browser, page] = await visit(invite);
    const made = await browser.submit(page, `/invite/${invite}`);
    const [token = ''] = /grove_[A-Za-z0-9_-]{43}/.exec(made.text) ?? [];
    expect(garden.control.credentials.verify(token)).toMatchObject({
      kind: 'trail',
      trail: { id: shared.id },
    });
    // What grove connect shows, with the token in it.
    expect(made.text).toContain(
      `claude mcp add --transport http --scope user grove ${garden.resource} --header`,
    );
    expect((await browser.visit(`/invite/${invite}`)).text).not.toContain(token);
    expect((await callTool(garden, token, 'list_notes', {})).text).toContain('Herbs');
  });

  it('makes no end of tokens', async () => {
    const { trail: shared, invite } = trail();
    for (let count = 0; count < 49; count += 1) garden.control.trails.newToken(shared.id);
    const [browser, page] = await visit(invite);
    const refused = await browser.submit(page, `/invite/${invite}`);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('tokens_full');
  });

  it('makes none for a page of somebody else', async () => {
    const { trail: shared, invite } = trail();
    const [browser, page] = await visit(invite);
    const { url } = formOf(page, `/invite/${invite}`);
    const sent = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await browser.ask(url, { ...sent, body: '' })).status).toBe(403);
    expect((await browser.ask(url, { ...sent, body: 'form=x' })).status).toBe(403);
    expect(garden.control.keys.list({ trail: shared.id })).toHaveLength(1);
  });

  it('is the same for an invite that is over and for one that never was', async () => {
    const replaced = trail();
    garden.control.trails.newInvite(replaced.trail.id);
    const disabled = trail();
    garden.control.trails.disable(disabled.trail.id);
    const removed = trail();
    garden.control.trails.remove(removed.trail.id);
    const never = `invite_${'x'.repeat(43)}`;
    const pages = await Promise.all(
      [replaced.invite, disabled.invite, removed.invite, never, 'x', '%00', '..%2f'].map(
        async (secret) => (await visit(secret))[1],
      ),
    );
    for (const { status, text } of pages) {
      expect(status).toBe(404);
      expect(text).toBe(pages[0]?.text);
    }
  });
});

it('lets the owner use an invite in a browser that the owner is signed in with', async () => {
  const { token } = trail();
  const client = await TestClient.registered(garden);
  const browser = new Browser(garden.url);
  const first = await browser.visit(client.authorizeUrl());
  const consent = await browser.submit(first, '/owner', { passphrase: PASSPHRASE });
  const [, link = ''] = /href="([^"]+\?guest)"/.exec(consent.text) ?? [];
  const page = await browser.submit(await browser.visit(link), '/trail', { secret: token });
  client.answered(await browser.submit(page, '/consent', { access: 'read' }));
  expect(garden.control.grants.list()[0]?.account).toMatch(/^trail:/);
});
