import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../openapi/document.ts';
import { DescribedAnswers } from '../openapi/testing/described-answers.ts';
import { type Ask, askWith } from '../testing/ask.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

const described = new DescribedAnswers(openApiDocument('0.0.0-test'));
const NOBODY = 't_000000000000';

let garden: ServedGarden;
let admin: Ask;
let made = 0;
beforeAll(async () => {
  garden = await serveGarden({
    'Books/Emma.md': '---\ntags: [books]\ntype: book\n---\n# Emma\n\nA matchmaker, as in [[Diary]].\n',
    'Books/Secret.md': '---\ntags: [books]\nprivate: true\n---\n# Secret\n',
    'Books/Notes.md': '---\ntags: [books/read]\ntype: list\n---\n# Notes\n\nMatchmakers of all ages.\n',
  });
  admin = askWith(garden.app, garden.key({ name: 'Admin', scopes: ['admin'] }));
});
afterAll(() => garden.close());

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Sends a call; its answer must be one that the description has. */
async function send(method: Method, url: string, payload?: object, by = admin) {
  const answer = await by(url, { method, ...(payload === undefined ? {} : { payload }) });
  const [type = ''] = String(answer.headers['content-type'] ?? '').split(';');
  const path = (url.split('?', 1)[0] ?? '').replace(/^(\/v1\/(?:trails|grants|keys))\/[^/]+/, '$1/{id}');
  const errors = described.answerErrors(path, method.toLowerCase(), answer.statusCode, type, answer.json());
  expect(errors, answer.payload.slice(0, 500)).toBeNull();
  return answer;
}

async function makeTrail(wish: object = {}): Promise<{ id: string; token: string; invite_url: string }> {
  made += 1;
  const answer = await send('POST', '/v1/trails', { name: `Trail ${made}`, allow_tags: ['books'], ...wish });
  expect(answer.statusCode, answer.payload).toBe(201);
  const { trail, token, invite_url } = answer.json();
  return { id: trail.id, token, invite_url };
}

/** How a token is answered: its status, and what it finds. */
async function reached(token: string): Promise<{ status: number; paths: string[] }> {
  const answer = await askWith(garden.app, token)('/v1/notes?sort=path');
  const { notes = [] } = answer.json();
  return { status: answer.statusCode, paths: notes.map(({ path }: { readonly path: string }) => path) };
}

describe('/v1/trails', () => {
  it('makes a trail whose token shows its notes alone, and shows its secrets once', async () => {
    const answer = await send('POST', '/v1/trails', {
      name: 'Book club',
      allow_tags: '#books',
      deny_types: ['list'],
      expires: '30d',
    });
    const { trail, token, invite_url } = answer.json();
    expect(answer.statusCode).toBe(201);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', location: `/v1/trails/${trail.id}` });
    expect(trail).toMatchObject({
      vault: garden.opened.slug,
      allow_tags: ['books'],
      deny_types: ['list'],
      reads: 60,
      writes: 0,
      state: 'live',
    });
    expect(invite_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/invite\/invite_[\w-]{43}$/);
    expect(await reached(token)).toEqual({ status: 200, paths: ['Books/Emma.md'] });

    const [list, one] = [await send('GET', '/v1/trails'), await send('GET', `/v1/trails/${trail.id}`)];
    expect(list.json().trails[0]).toMatchObject({ id: trail.id, name: 'Book club' });
    expect(one.json().tokens).toMatchObject([{ name: 'token', trail: trail.id, scopes: ['read'] }]);
    for (const { payload } of [list, one, await send('GET', '/v1/keys')])
      for (const secret of [token, invite_url.split('/').at(-1)]) expect(payload).not.toContain(secret);
    expect((await send('GET', '/v1/keys')).json().keys).toHaveLength(1);
  });

  it('ends with the next call when it is disabled, and goes on when it is enabled', async () => {
    const { id, token } = await makeTrail();
    expect((await send('POST', `/v1/trails/${id}/disable`)).json().state).toBe('disabled');
    expect((await reached(token)).status).toBe(401);
    const again = await send('POST', `/v1/trails/${id}/disable`);
    expect(again.json().disabled_at).not.toBeNull();
    expect((await send('POST', `/v1/trails/${id}/enable`)).json().state).toBe('live');
    expect((await reached(token)).status).toBe(200);
  });

  it('changes what is named and nothing else', async () => {
    const { id, token } = await makeTrail({ deny_types: ['list'] });
    expect((await reached(token)).paths).toEqual(['Books/Emma.md']);
    const opened = await send('PATCH', `/v1/trails/${id}`, { deny_types: [], reads: 7 });
    expect(opened.json()).toMatchObject({ allow_tags: ['books'], deny_types: [], reads: 7, writes: 0 });
    expect((await reached(token)).paths).toEqual(['Books/Emma.md', 'Books/Notes.md']);
    const longer = await send('PATCH', `/v1/trails/${id}`, { name: `${id} renamed`, expires: '2w' });
    expect(longer.json()).toMatchObject({ name: `${id} renamed`, reads: 7 });
    expect((await send('PATCH', `/v1/trails/${id}`, { expires: 'never' })).json().expires_at).toBeNull();
    const emptied = await send('PATCH', `/v1/trails/${id}`, { allow_tags: [] });
    expect(emptied.json()).toMatchObject({ code: 'bad_rule' });
  });

  it('writes only where it has folders and calls for that', async () => {
    const wish = { write_folders: ['Books/Inbox'], writes: 5 };
    const { id, token } = await makeTrail(wish);
    const { tokens } = (await send('GET', `/v1/trails/${id}`)).json();
    expect(tokens[0].scopes).toEqual(['read', 'write']);
    await send('PATCH', `/v1/trails/${id}`, { writes: 0 });
    expect((await send('GET', `/v1/trails/${id}`)).json().tokens[0].scopes).toEqual(['read']);
    expect((await reached(token)).status).toBe(200);
  });

  it('gives further tokens, of which each ends alone', async () => {
    const { id, token } = await makeTrail();
    const second = (await send('POST', `/v1/trails/${id}/token`)).json();
    const named = (await send('POST', `/v1/trails/${id}/token`, { name: 'Ada' })).json();
    expect([second.key.name, named.key.name]).toEqual(['token 2', 'Ada']);
    expect((await send('POST', `/v1/trails/${id}/token`, { name: 'Ada' })).json().code).toBe('key_exists');
    await send('DELETE', `/v1/keys/${named.key.id}`);
    const statuses = await Promise.all([token, second.token, named.token].map(reached));
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 401]);
  });

  it('replaces its invite link', async () => {
    const { id, invite_url } = await makeTrail();
    const other = (await send('POST', `/v1/trails/${id}/invite`)).json();
    const secretOf = (url: string): string => url.split('/').at(-1) ?? '';
    expect(garden.control.trails.byInvite(secretOf(invite_url))).toBeNull();
    expect(garden.control.trails.byInvite(secretOf(other.invite_url))?.id).toBe(id);
  });

  it('is gone with its tokens and its invite when it is deleted', async () => {
    const { id, token, invite_url } = await makeTrail();
    expect((await send('DELETE', `/v1/trails/${id}`)).json().id).toBe(id);
    expect((await reached(token)).status).toBe(401);
    expect(garden.control.trails.byInvite(invite_url.split('/').at(-1) ?? '')).toBeNull();
    expect((await send('DELETE', `/v1/trails/${id}`)).json().code).toBe('trail_unknown');
  });

  it('previews what it shows, why a note is in or out, and what names a hidden one', async () => {
    const { id } = await makeTrail();
    const preview = (await send('GET', `/v1/trails/${id}/preview?note=Secret`)).json();
    expect(preview.notes.map(({ path }: { readonly path: string }) => path)).toEqual([
      'Books/Emma.md',
      'Books/Notes.md',
    ]);
    expect(preview.verdict).toMatchObject({ path: 'Books/Secret.md', visible: false });
    expect(preview.warnings).toMatchObject([{ path: 'Books/Emma.md', names: 'Private/Diary.md' }]);
    const none = await send('GET', `/v1/trails/${id}/preview?note=Nowhere`);
    expect(none.json().code).toBe('note_not_found');
  });

  it('tells its usage', async () => {
    const { id } = await makeTrail();
    const trail = { trail: id, vault: garden.opened.slug };
    for (const outcome of ['ok', 'ok', 'note_not_found'])
      garden.control.audit.record({ ...ENTRY, ...trail, outcome, found: outcome === 'ok' ? 3 : 0 });
    const usage = (await send('GET', `/v1/trails/${id}/usage?since=7d`)).json();
    expect(usage).toMatchObject({ calls: 3, notes: 6, refused: 1, days: [{ calls: 3 }] });
    expect((await send('GET', `/v1/trails/${id}/usage?since=soon`)).json().code).toBe('bad_input');
  });

  it.each([
    ['no rule', { allow_tags: null }, 'bad_rule'],
    ['an empty list', { allow_tags: [] }, 'bad_input'],
    ['an empty tag', { allow_tags: ['#'] }, 'bad_rule'],
    ['an absolute path', { deny_paths: ['/etc'] }, 'bad_rule'],
    ['an unknown type', { allow_types: ['bok'] }, 'bad_rule'],
    ['half a character', { deny_tags: ['\ud800'] }, 'bad_rule'],
    ['a star where it may write', { write_folders: ['Books/*'] }, 'bad_rule'],
    ['a past expiry', { expires: '2020-01-01' }, 'bad_input'],
    ['a count below nothing', { reads: -1 }, 'bad_input'],
    ['an empty name', { name: ' ' }, 'bad_input'],
    ['another name for a rule', { allow_tag: ['books'] }, 'unknown_parameter'],
  ])('is not made of %s', async (_, wish, code) => {
    const before = garden.control.trails.list().length;
    const answer = await send('POST', '/v1/trails', { name: 'Refused', allow_tags: ['books'], ...wish });
    expect(answer.json().code).toBe(code);
    expect(garden.control.trails.list()).toHaveLength(before);
  });

  it('is not made twice under one name', async () => {
    await makeTrail({ name: 'Once' });
    const answer = await send('POST', '/v1/trails', { name: 'Once', allow_tags: ['books'] });
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'trail_exists']);
  });

  it.each<[Method, string]>([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/disable'],
    ['POST', '/enable'],
    ['POST', '/token'],
    ['POST', '/invite'],
    ['GET', '/usage'],
    ['GET', '/preview'],
  ])('answers %s …%s for none and for one of another vault alike', async (method, verb) => {
    const rules = garden.control.trails.find((await makeTrail()).id).rules;
    made += 1;
    const foreign = garden.control.trails.create({
      name: `Foreign ${made}`,
      vault: 'elsewhere',
      rules,
    }).trail;
    const payload = method === 'PATCH' ? { reads: 1 } : undefined;
    const answers = await Promise.all(
      [NOBODY, foreign.id].map((id) => send(method, `/v1/trails/${id}${verb}`, payload)),
    );
    const [none, other] = answers.map((answer) =>
      answer.payload.replaceAll(foreign.id, NOBODY).replace(/"request_id":"[^"]*"/, ''),
    );
    expect(answers[0]?.json().code).toBe('trail_unknown');
    expect(other).toBe(none);
    expect(garden.control.trails.find(foreign.id).state).toBe('live');
  });

  it('is for admins whom no rule limits', async () => {
    const limited = askWith(garden.app, garden.key({ scopes: ['admin'], denyPaths: ['Private'] }));
    const reader = askWith(garden.app, garden.key({ scopes: ['read'] }));
    const { token } = await makeTrail({ write_folders: ['Books'], writes: 5 });
    for (const url of ['/v1/trails', '/v1/grants', '/v1/audit']) {
      expect((await send('GET', url, undefined, limited)).json().code).toBe('key_limited');
      expect((await send('GET', url, undefined, reader)).json().code).toBe('scope_missing');
      expect((await send('GET', url, undefined, askWith(garden.app, token))).json().code).toBe(
        'admin_key_needed',
      );
    }
  });
});

const ENTRY = {
  at: Date.now(),
  principal: { kind: 'trail', id: 'k_000000000000', name: 'Book club' },
  trail: null,
  client: null,
  vault: 'garden',
  tool: 'query',
  via: 'mcp',
  ms: 1.5,
  found: 1,
  withheld: null,
  outcome: 'ok',
  address: null,
  requestId: 'r1',
} as const;

interface AuditAnswer {
  readonly entries: readonly { readonly found: number }[];
  readonly cursor?: string;
}

describe('/v1/audit', () => {
  it('gives pages of the own vault, newest first, and nothing of others', async () => {
    const vault = garden.opened.slug;
    const principal = { kind: 'key', id: 'k_pages0000000', name: 'Pages' };
    for (let at = 1; at <= 5; at += 1) garden.control.audit.record({ ...ENTRY, vault, principal, found: at });
    garden.control.audit.record({ ...ENTRY, vault: 'elsewhere', principal });
    const found: number[] = [];
    let cursor: string | undefined = '';
    for (let page = 0; cursor !== undefined && page < 5; page += 1) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const answer: AuditAnswer = (await send('GET', `/v1/audit?key=${principal.id}&limit=2${next}`)).json();
      found.push(...answer.entries.map((entry) => entry.found));
      cursor = answer.cursor;
    }
    expect(found).toEqual([5, 4, 3, 2, 1]);
  });

  it('takes filters', async () => {
    const vault = garden.opened.slug;
    const principal = { kind: 'key', id: 'k_filters00000', name: 'Filters' };
    const day = 86_400_000;
    garden.control.audit.record({ ...ENTRY, vault, principal, outcome: 'rate_limited' });
    garden.control.audit.record({ ...ENTRY, vault, principal, tool: 'get', at: Date.now() - 3 * day });
    const count = async (query: string): Promise<number> =>
      (await send('GET', `/v1/audit?key=${principal.id}&${query}`)).json().entries.length;
    expect(await count('tool=get')).toBe(1);
    expect(await count('outcome=refused')).toBe(1);
    expect(await count('outcome=rate_limited')).toBe(1);
    expect(await count('since=1d')).toBe(1);
    expect(await count('until=1d')).toBe(1);
    expect(await count(`trail=${NOBODY}`)).toBe(0);
  });

  it.each(['limit=0', 'limit=x', 'since=soon', 'cursor=0', 'cursor=x', 'nothing=1'])(
    'refuses %s',
    async (query) => {
      expect((await send('GET', `/v1/audit?${query}`)).statusCode).toBe(422);
    },
  );
});

describe('/v1/grants', () => {
  it('lists the grants of the vault and revokes one for good', async () => {
    const vault = garden.opened.slug;
    const record = (grantId: string, of: string) => {
      garden.control.oauth.upsert('Grant', grantId, {}, 3_600);
      garden.control.grants.record({
        grantId,
        account: 'owner',
        vault: of,
        trailId: null,
        scopes: ['read'],
        askedToWrite: true,
        clientId: 'client',
        clientName: 'claude.ai',
        redirectHost: 'claude.ai',
        resource: 'http://127.0.0.1/mcp',
      });
    };
    record('own-grant', vault);
    record('other-grant', 'elsewhere');
    const listed = (await send('GET', '/v1/grants')).json().grants;
    expect(listed).toMatchObject([{ id: 'own-grant', client_name: 'claude.ai', state: 'live' }]);
    for (const id of ['other-grant', 'no-grant'])
      expect((await send('DELETE', `/v1/grants/${id}`)).json().code).toBe('grant_unknown');
    for (let time = 0; time < 2; time += 1)
      expect((await send('DELETE', '/v1/grants/own-grant')).json().state).toBe('revoked');
    expect(garden.control.grants.find('other-grant').state).toBe('live');
    expect(garden.control.oauth.find('Grant', 'own-grant')).toBeUndefined();
  });
});
