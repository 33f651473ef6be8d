import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyWish } from '@grove/access';
import { parseTrailRules } from '@grove/trails';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { legacy, modern, RawMcp } from './mcp/testing/raw-mcp.ts';
import { CALLS, type Call, HIDDEN, NAMES, SHOWN, WORDS } from './testing/hidden-notes.ts';
import type { GardenNotes } from './testing/open-garden.ts';
import { type ServedGarden, serveGarden } from './testing/serve-garden.ts';

const SECRET = '**/secret-*.md';
const OPEN = ['Beds', 'Index.md', 'Compost.md', 'Tomatoes.md', 'Broken.md', 'Journal', 'Plain.md'];

/** One answer, and what was asked. */
interface Said {
  readonly what: string;
  readonly said: string;
}

/** A vault behind the server, and a key that may read a part of it. */
interface Asked {
  readonly garden: ServedGarden;
  readonly token: string;
  readonly url: string;
}

type Era = 'legacy' | 'modern' | 'session';

/** The hidden notes of other folders, as a trail leaves them out: by what they say. */
const SAID_PRIVATE = {
  'Beds/secret-plan.md':
    '---\ntags: [soil]\nstatus: resting\nprivate: true\n---\n# The plan\n\ncarrots xylophone\n',
  'Beds/secret-Bed 3.md': '---\ntags: [hidden]\n---\n# Bed 3\n\n[[Bed 2]] carrots\n',
  'Beds/Unclosed.md': '---\ntags: [garden]\n# Bed 4\n\nxylophone\n',
};

const asKey =
  (wish: Partial<KeyWish>) =>
  (garden: ServedGarden): string =>
    garden.key({ ...wish, scopes: ['read', 'admin'] });

function asTrail({ control, opened }: ServedGarden): string {
  const rules = parseTrailRules({ denyPaths: ['Private'], denyTags: ['hidden'] });
  return control.trails.create({ name: 'Guest', vault: opened.slug, rules, reads: 0 }).token;
}

describe.each([
  ['a key that is denied folders', asKey({ denyPaths: ['Private', SECRET] }), {}, {}],
  ['a key that may read some folders', asKey({ readPaths: OPEN, denyPaths: [SECRET] }), {}, {}],
  ['a trail', asTrail, SAID_PRIVATE, { 'Broken.md': null }],
])('%s hears what it would hear of a vault without the hidden notes', (_, tokenOf, alsoHidden, notShown) => {
  let whole: Asked;
  let bare: Asked;
  beforeAll(async () => {
    whole = await ask({ ...SHOWN, ...HIDDEN, ...alsoHidden }, tokenOf);
    bare = await ask({ ...SHOWN, 'Private/Diary.md': null, ...notShown }, tokenOf);
  });
  afterAll(async () => {
    await whole.garden.close();
    await bare.garden.close();
  });

  it('over REST: statuses, headers and bodies', async () => {
    await same(rest);
  });

  it.each(['legacy', 'modern', 'session'] as const)(
    'over MCP, %s: tools, resources, prompts, completion',
    async (era) => {
      await same((asked) => calls(asked, era));
      await same((asked) => resources(asked, era));
      await same((asked) => prompts(asked, era));
      await same((asked) => searchProfile(asked, era));
    },
  );

  async function same(say: (asked: Asked) => Promise<readonly Said[]>): Promise<void> {
    const [one, other] = [await say(whole), await say(bare)];
    expect(one.length).toBeGreaterThan(20);
    const differing = one.filter(({ said }, at) => said !== other[at]?.said);
    expect(
      differing.map(({ what, said }) => [what, said, other.find((each) => each.what === what)?.said]),
    ).toEqual([]);
  }
});

async function ask(notes: GardenNotes, tokenOf: (garden: ServedGarden) => string): Promise<Asked> {
  // A commit that one vault makes of itself in the meantime is no difference that a key may hear of.
  const garden = await serveGarden({ ...notes, '.grove/vault.yaml': 'autocommit: false\n' });
  const then = new Date('2026-11-30T12:00:00Z');
  for (const path of readdirSync(garden.root, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.md')) utimesSync(join(garden.root, path), then, then);
  await garden.opened.reindex();
  return { garden, token: tokenOf(garden), url: await garden.listen() };
}

async function rest({ garden, token }: Asked): Promise<Said[]> {
  const all: Said[] = [];
  const say = async (
    method: 'GET' | 'HEAD',
    url: string,
    given: Record<string, string> = {},
  ): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, ...given };
    const { statusCode, headers: sent, body } = await garden.app.inject({ method, url, headers });
    all.push({ what: `${method} ${url} ${JSON.stringify(given)}`, said: plain(statusCode, sent, body) });
  };
  for (const name of NAMES) {
    const url = `/v1/notes/${name.split('/').map(encodeURIComponent).join('/')}`;
    for (const query of ['', '?include=backlinks', '?format=map']) {
      await say('GET', `${url}${query}`);
      await say('HEAD', `${url}${query}`);
      await say('GET', `${url}${query}`, { accept: 'text/markdown' });
    }
    await say('GET', url, { 'if-none-match': '*' });
  }
  for (const url of CALLS.flatMap(addressOf)) await say('GET', url);
  for (const url of ['/v1/tags', '/v1/keys', '/readyz', '/openapi.json', '/v1/nothing'])
    await say('GET', url);
  return all;
}

function addressOf([tool, input]: Call): string[] {
  const route = { query: '/v1/query', list_notes: '/v1/notes', vault_status: '/v1/status' }[tool];
  if (route === undefined) return [];
  const { mode, ...others } = input;
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(others))
    words.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  return [`${route}${typeof mode === 'string' ? `/${mode}` : ''}?${words}`];
}

async function calls(asked: Asked, era: Era): Promise<Said[]> {
  const say = await speaker(asked, era);
  const all: Said[] = [];
  for (const [name, input] of some(CALLS, era)) all.push(await say('tools/call', { name, arguments: input }));
  return all;
}

/** All of them in one era, and every fifth in the others: what is answered is the same, what carries it is not. */
function some<Asked>(all: readonly Asked[], era: Era): readonly Asked[] {
  return era === 'legacy' ? all : all.filter((_, at) => at % 5 === 0);
}

async function resources(asked: Asked, era: Era): Promise<Said[]> {
  const say = await speaker(asked, era);
  const all = [await say('resources/list'), await say('resources/templates/list'), await say('tools/list')];
  const notes = NAMES.map((name) => `vault://note/${encodeURI(name)}`);
  for (const uri of ['vault://tags', 'vault://status', ...notes]) {
    all.push(await say('resources/read', { uri }));
    if (era === 'session') all.push(await say('resources/subscribe', { uri }));
  }
  const ref = { type: 'ref/resource', uri: 'vault://note/{+path}' };
  for (const value of [...NAMES, '', 'P', 's', 'D'])
    all.push(await say('completion/complete', { ref, argument: { name: 'path', value } }));
  all.push(await say(era === 'modern' ? 'server/discover' : 'initialize', GREETING));
  return all;
}

/** Prompts that a name of a note, a folder or a tag can be given to, by the argument that takes it. */
const TAKING = { tend: 'target', wander: 'from', garden: 'folder', forage: 'tag', plant: 'type' } as const;

async function prompts(asked: Asked, era: Era): Promise<Said[]> {
  const say = await speaker(asked, era);
  const all = [await say('prompts/list')];
  const asks = Object.entries(TAKING).flatMap(([name, argument]) =>
    [...NAMES, 'hidden/tag', 'confession'].map((value) => ({
      name,
      arguments: { topic: value, idea: value, [argument]: value },
    })),
  );
  for (const params of some(asks, era)) all.push(await say('prompts/get', params));
  for (const [name, argument] of Object.entries(TAKING))
    for (const value of ['', 'P', 's', 'hid', 'Diary'])
      all.push(
        await say('completion/complete', {
          ref: { type: 'ref/prompt', name },
          argument: { name: argument, value },
        }),
      );
  return all;
}

const GREETING = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };

async function searchProfile(asked: Asked, era: Era): Promise<Said[]> {
  const say = await speaker(asked, era, '?profile=search');
  const all: Said[] = [];
  for (const id of NAMES) all.push(await say('tools/call', { name: 'fetch', arguments: { id } }));
  for (const query of WORDS) all.push(await say('tools/call', { name: 'search', arguments: { query } }));
  return all;
}

type Say = (method: string, params?: Readonly<Record<string, unknown>>) => Promise<Said>;

async function speaker({ url, token }: Asked, era: Era, query = ''): Promise<Say> {
  const mcp = new RawMcp(`${url}/mcp${query}`, token);
  const inSession: Record<string, string> =
    era === 'session' ? { 'mcp-session-id': await mcp.session() } : {};
  return async (method, params = {}) => {
    const asked =
      era === 'modern' ? modern(method, params) : { body: legacy(method, params), headers: inSession };
    const { status, headers, text } = await mcp.send(asked.body, { headers: asked.headers });
    return {
      what: `${method} ${JSON.stringify(params)}`,
      said: plain(status, Object.fromEntries(headers), text),
    };
  };
}

/** What is another in each answer, or in each connection. */
const OWN = ['date', 'x-request-id', 'mcp-session-id', 'keep-alive', 'connection'];

/** An answer without times, ids of requests and sealed cursors. */
function plain(status: number, headers: object, body: string): string {
  const kept = Object.entries(headers).filter(([name]) => !OWN.includes(name));
  return JSON.stringify([status, kept, body])
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(Z|[+-]\d\d:\d\d)?/g, 'TIME')
    .replaceAll(/request_id\\":\\"[^"\\]+/g, 'ID')
    .replaceAll(/cursor\W{1,10}[\w-]{40,}/gi, 'CURSOR');
}
