import { type AuditRow, openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { parseTrailRules } from '@grove/trails';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { legacy, legacyCall, modern, RawMcp } from '../mcp/testing/raw-mcp.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

/** In notes, in questions and in tokens; nowhere in the audit. */
const SECRET = 'xylophone';

let garden: ServedGarden;
let url: string;
let key: string;
let trail: { id: string; token: string };
beforeAll(async () => {
  garden = await serveGarden({ 'Private/Score.md': `The ${SECRET} again, and compost.\n` });
  await garden.opened.writes.switch(true);
  url = await garden.listen();
  key = garden.key({ name: 'Laptop', scopes: ['read', 'write', 'admin'] });
  const rules = parseTrailRules({ allowPaths: ['Compost.md', 'Tomatoes.md'] });
  const made = garden.control.trails.create({ name: 'Guest', vault: garden.opened.slug, rules, reads: 0 });
  trail = { id: made.trail.id, token: made.token };
});
afterAll(() => garden.close());

let last = 0;
/** What was written down since the last look, oldest first, once `count` calls are. */
async function recorded(count: number): Promise<AuditRow[]> {
  const rows = (): AuditRow[] =>
    garden.control.audit.list({ limit: 1_000 }).filter(({ sequence }) => sequence > last);
  await expect.poll(() => rows().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
  const all = rows().reverse();
  last = all.at(-1)?.sequence ?? last;
  expect(all).toHaveLength(count);
  return all;
}

const brief = ({ tool, via, outcome, found, withheld }: AuditRow) => [tool, via, outcome, found, withheld];

async function rest(token: string, path: string, options: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...options.headers };
  const response = await fetch(`${url}${path}`, { ...options, headers });
  await response.arrayBuffer();
  return response;
}

const json = (method: string, body: object): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

describe('what is written down of a call', () => {
  it('is who, when, what, how long, how much and how it ended', async () => {
    const before = Date.now();
    const { headers } = await rest(key, '/v1/query?q=compost', { headers: { 'x-request-id': 'one-call' } });
    expect(headers.get('x-request-id')).toBe('one-call');
    const [row] = await recorded(1);
    const id = garden.control.keys.list()[0]?.id;
    expect(row).toEqual({
      sequence: expect.any(Number),
      at: expect.any(Number),
      principal: { kind: 'key', id, name: 'Laptop' },
      trail: null,
      client: null,
      vault: garden.opened.slug,
      tool: 'query',
      via: 'rest',
      ms: expect.any(Number),
      found: 3,
      withheld: null,
      outcome: 'ok',
      address: null,
      requestId: 'one-call',
    });
    expect(row?.at).toBeGreaterThanOrEqual(before - 1);
    expect(row?.at).toBeLessThanOrEqual(Date.now());
    expect(row?.ms).toBeGreaterThan(0);
  });

  it('is the same of every route of REST', async () => {
    await rest(key, '/v1/notes/Compost.md');
    await rest(key, '/v1/notes/Nothing.md');
    await rest(key, '/v1/notes/Compost.md?nonsense=1');
    await rest(key, '/v1/notes');
    await rest(key, '/v1/tags');
    await rest(key, '/v1/status/health');
    await rest(key, '/v1/multi-get', json('POST', { paths: ['Compost', 'Tomatoes', 'Nothing'] }));
    await rest(key, '/v1/multi-get', json('POST', { paths: 7, more: 1 }));
    await rest(key, '/v1/notes/New.md', json('PUT', { content: 'new' }));
    await rest(key, '/v1/notes/New.md', json('PUT', { content: 'newer' }));
    await rest(
      key,
      '/v1/batch',
      json('POST', { operations: [{ action: 'append', path: 'New.md', content: 'x' }] }),
    );
    await rest(key, '/v1/keys');
    await rest(key, '/v1/keys/k_nobody/rotate', { method: 'POST' });
    await rest(garden.key({ scopes: ['append'] }), '/v1/query?q=compost');
    expect((await recorded(14)).map(brief)).toEqual([
      ['get', 'rest', 'ok', 1, null],
      ['get', 'rest', 'note_not_found', 0, null],
      ['get', 'rest', 'unknown_parameter', null, null],
      ['list_notes', 'rest', 'ok', garden.opened.vault.ownerView().size - 1, null],
      ['list_notes', 'rest', 'ok', null, null],
      ['vault_status', 'rest', 'ok', null, null],
      ['multi_get', 'rest', 'ok', 2, null],
      ['multi_get', 'rest', 'unknown_parameter', null, null],
      ['write_note', 'rest', 'ok', null, null],
      ['write_note', 'rest', expect.stringMatching(/^(?!ok$)/), null, null],
      ['write_note', 'rest', 'ok', null, null],
      ['GET /v1/keys', 'rest', 'ok', null, null],
      ['POST /v1/keys/:id/rotate', 'rest', 'key_unknown', null, null],
      ['query', 'rest', 'scope_missing', null, null],
    ]);
  });

  it('is the same of MCP, in every revision', async () => {
    const mcp = new RawMcp(`${url}/mcp`, key);
    const search = new RawMcp(`${url}/mcp?profile=search`, key);
    await mcp.send(legacyCall('query', { query: 'compost' }));
    await mcp.send(legacyCall('get', { path: 'Nothing.md' }));
    const { body, headers } = modern('tools/call', { name: 'get', arguments: { path: 'Compost.md' } });
    await mcp.send(body, { headers: { ...headers, 'x-request-id': 'modern-call' } });
    await search.send(legacyCall('search', { query: 'compost' }));
    await search.send(legacyCall('fetch', { id: 'Compost.md' }));
    await mcp.send(legacyCall('get', { nonsense: true }));
    await mcp.send(legacy('resources/read', { uri: 'vault://note/Compost.md' }));
    await mcp.send(legacy('resources/read', { uri: 'vault://note/Nothing.md' }));
    await mcp.send(legacy('resources/list', { cursor: 'made up' }));
    await mcp.send(legacy('tools/list'));
    const rows = await recorded(9);
    expect(rows.map(brief)).toEqual([
      ['query', 'mcp', 'ok', 3, null],
      ['get', 'mcp', 'note_not_found', 0, null],
      ['get', 'mcp', 'ok', 1, null],
      ['search', 'mcp', 'ok', 3, null],
      ['fetch', 'mcp', 'ok', 1, null],
      ['get', 'mcp', expect.stringMatching(/^(?!ok$)/), 0, null],
      ['resources/read', 'mcp', 'ok', 1, null],
      ['resources/read', 'mcp', 'note_not_found', 0, null],
      ['resources/list', 'mcp', 'bad_input', null, null],
    ]);
    expect(rows[2]?.requestId).toBe('modern-call');
    expect(new Set(rows.map(({ principal }) => principal.name))).toEqual(new Set(['Laptop']));
  });

  it('counts what a trail withheld, by its id', async () => {
    const mcp = new RawMcp(`${url}/mcp`, trail.token);
    await rest(trail.token, '/v1/query?q=compost');
    await rest(trail.token, '/v1/notes/Private/Score.md');
    await rest(trail.token, '/v1/notes/Nothing.md');
    await mcp.send(legacyCall('query', { query: SECRET }));
    await mcp.send(legacyCall('multi_get', { paths: ['Compost', 'Score', 'Diary'] }));
    await mcp.send(legacy('resources/read', { uri: 'vault://note/Private/Diary.md' }));
    const rows = await recorded(6);
    expect(rows.map(brief)).toEqual([
      ['query', 'rest', 'ok', 2, 1],
      ['get', 'rest', 'note_not_found', 0, 1],
      ['get', 'rest', 'note_not_found', 0, 0],
      ['query', 'mcp', 'ok', 0, 2],
      ['multi_get', 'mcp', 'ok', 1, 2],
      ['resources/read', 'mcp', 'note_not_found', 0, 1],
    ]);
    for (const row of rows) {
      expect(row.trail).toBe(trail.id);
      expect(row.principal).toMatchObject({ kind: 'trail', name: 'Guest' });
    }
  });

  it('holds nothing of notes, questions and tokens', async () => {
    const mcp = new RawMcp(`${url}/mcp`, key);
    await rest(key, `/v1/query?q=${SECRET}`);
    await rest(key, `/v1/notes/${SECRET}.md`, json('PUT', { content: SECRET, reason: SECRET }));
    await rest(key, `/v1/notes/${SECRET}.md?${SECRET}=1`);
    await mcp.send(legacyCall('query', { query: SECRET, [SECRET]: SECRET }));
    await mcp.send(legacyCall('get', { path: `${SECRET}.md` }));
    await recorded(5);
    const kept = JSON.stringify(garden.control.audit.list({ limit: 1_000 })).toLowerCase();
    expect(kept).not.toContain(SECRET);
    for (const secret of [key, trail.token])
      expect(kept).not.toContain(secret.slice('grove_'.length).toLowerCase());
  });
});

describe('a server that ends', () => {
  it('has written down what it answered', async () => {
    const other = await serveGarden();
    const rules = parseTrailRules({ allowPaths: ['Compost.md'] });
    const { token } = other.control.trails.create({
      name: 'Guest',
      vault: other.opened.slug,
      rules,
      reads: 0,
    });
    const headers = { authorization: `Bearer ${token}` };
    for (let count = 0; count < 20; count += 1)
      await other.app.inject({ url: '/v1/query?q=compost', headers });
    await other.app.close();
    const beside = openControl({ dataDir: other.dataDir, clock: systemClock });
    expect(beside.audit.list({ limit: 1_000 })).toHaveLength(20);
    beside.close();
    await other.close();
  });
});
