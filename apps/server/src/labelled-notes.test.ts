import { encodePath as encoded, type VaultPath } from '@grove/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOOK, type LabelledNote, ON_TOPIC, SENSITIVE } from './testing/labelled-notes.ts';
import { NO_NOTES } from './testing/open-garden.ts';
import { type ServedGarden, serveGarden } from './testing/serve-garden.ts';
import { type Heard, type Loose, type Profile, TrailGuest } from './testing/trail-guest.ts';

let garden: ServedGarden;
let guest: TrailGuest;
/** What was asked and answered, over whatever way. */
const heard: Heard[] = [];

beforeAll(async () => {
  const all = [...ON_TOPIC, ...SENSITIVE].map(({ path, text }) => [path, text]);
  garden = await serveGarden({ ...NO_NOTES, ...Object.fromEntries(all) });
  const { slug } = garden.opened;
  const { token } = garden.control.trails.create({ name: 'Editor', vault: slug, rules: BOOK, reads: 0 });
  guest = new TrailGuest(garden.app, await garden.listen(), token, (answer) => heard.push(answer));
});
afterAll(() => garden.close());

const rpc = async (method: string, params: object): Promise<Loose> => await guest.rpc(method, params);
const tool = async (name: string, input: object, profile?: Profile): Promise<Loose> =>
  await guest.tool(name, input, profile);
const rest = async (url: string, headers?: Record<string, string>): Promise<Loose> =>
  await guest.rest(url, headers);

const pathsOf = (list: readonly { readonly path: string }[] = []): string[] => list.map(({ path }) => path);
const SHOWN = ON_TOPIC.map(({ path }) => path).sort();
const encodePath = (path: string): string => encoded(path as VaultPath);
const stem = ({ path }: LabelledNote): string => path.slice(path.lastIndexOf('/') + 1, -3);

describe('a trail over forty labelled notes', () => {
  it('lists the twenty that are on its topic, everywhere, and those alone', async () => {
    const list = await tool('list_notes', { limit: 200, sort: 'path' });
    expect([pathsOf(list.notes), list.total]).toEqual([SHOWN, 20]);
    expect(pathsOf((await tool('multi_get', { paths: '**/*.md', format: 'summary' })).notes).sort()).toEqual(
      SHOWN,
    );
    const { resources } = await rpc('resources/list', {});
    expect(resources.map(({ name }: Loose) => name).filter((name: string) => name.endsWith('.md'))).toEqual(
      SHOWN,
    );
    const completed = await rpc('completion/complete', {
      ref: { type: 'ref/resource', uri: 'vault://note/{+path}' },
      argument: { name: 'path', value: '' },
    });
    expect(completed.completion.values.sort()).toEqual(SHOWN);
    expect(pathsOf((await rest('/v1/notes?limit=200&sort=path')).json().notes)).toEqual(SHOWN);
    expect((await tool('vault_status', {})).notes).toBe(20);
    const folders = (await tool('list_notes', { of: 'folders', limit: 200 })).groups.map(
      ({ name }: Loose) => name,
    );
    expect(folders.sort()).toEqual(['Book', 'Book/Chapters', 'Inbox', 'Recipes', 'Research']);
    const tags = (await rest('/v1/tags?limit=200'))
      .json()
      .groups.map(({ name }: Loose) => name.toLowerCase());
    expect(tags.sort()).toEqual([
      'book',
      'book/appendix',
      'book/chapter',
      'book/research',
      'kitchen',
      'style',
      'waiting',
    ]);
    const types = (await tool('list_notes', { of: 'types' })).groups.map(({ name }: Loose) => name);
    expect(types.sort()).toEqual(['meeting', 'outline']);
  });

  it.each(ON_TOPIC)('finds and reads $path by every way', async (note) => {
    const { path, words } = note;
    for (const word of words) {
      for (const query of [
        { query: word },
        { searches: [{ type: 'text', query: word }] },
        { searches: [{ type: 'regex', query: `(?i)${word}` }] },
      ])
        expect(pathsOf((await tool('query', query)).hits), JSON.stringify(query)).toContain(path);
      expect(pathsOf((await tool('query', { query: word, return: 'passages' })).passages)).toContain(path);
      const found = (await tool('search', { query: word }, 'search')).results;
      expect(found.map(({ id }: Loose) => id)).toContain(path);
      expect(pathsOf((await rest(`/v1/query?query=${word}`)).json().hits)).toContain(path);
    }
    for (const name of [path, stem(note), path.toUpperCase()])
      expect(await tool('get', { path: name, include: ['links', 'backlinks', 'history'] })).toMatchObject({
        path,
      });
    expect((await tool('fetch', { id: path }, 'search')).text.toLowerCase()).toContain(words[0]);
    const result = await rpc('resources/read', { uri: `vault://note/${encodePath(path)}` });
    expect(result.contents[0].text).toBe(note.text);
    expect((await rest(`/v1/notes/${encodePath(path)}`)).statusCode).toBe(200);
    expect((await rest(`/v1/notes/${encodePath(path)}`, { accept: 'text/markdown' })).body).toBe(note.text);
    expect((await tool('vault_status', { path })).file.status).toBe('indexed');
    await tool('query', { searches: [{ type: 'like', query: path }] });
  });

  it.each(SENSITIVE)('gives nothing of $path by any way', async (note) => {
    const { path, words } = note;
    const isTwin = path.includes('.sync-conflict-');
    for (const word of words)
      for (const query of [
        { query: word },
        { query: word, return: 'passages' },
        { query: `${word}*`, explain: true },
        { query: `${word.slice(0, -1)}x` },
        { query: 'beans', why: path },
        { searches: [{ type: 'text', query: word }] },
        { searches: [{ type: 'regex', query: `(?i)${word.slice(1)}` }] },
        {
          searches: [
            { type: 'vec', query: word },
            { type: 'hyde', query: `A note on ${word}` },
          ],
        },
      ]) {
        const { hits = [], passages = [] } = await tool('query', query);
        for (const shown of pathsOf([...hits, ...passages])) expect(SHOWN).toContain(shown);
      }
    const refused = [
      await tool('get', { path }),
      await tool('get', { path, revision: 'previous' }),
      await tool('get', { path: `${path}#${stem(note)}` }),
      await tool('fetch', { id: path }, 'search'),
      await tool('query', { searches: [{ type: 'like', query: path }] }),
    ];
    for (const answer of refused) expect(answer.content ?? answer.text ?? answer.outline).toBeUndefined();
    // A name that nobody has is taken for words, of which a note that is shown may hold some.
    for (const format of ['full', 'map'] as const) {
      const guessed = isTwin ? null : await tool('get', { path: stem(note), format });
      if (guessed?.path !== undefined) expect(SHOWN).toContain(guessed.path);
    }
    expect((await tool('multi_get', { paths: [path, stem(note)] })).errors[0].error.code).toBe(
      'note_not_found',
    );
    expect((await tool('vault_status', { path })).file.status).toBe('unknown');
    expect(await rpc('resources/read', { uri: `vault://note/${encodePath(path)}` })).toBeUndefined();
    await rpc('resources/subscribe', { uri: `vault://note/${encodePath(path)}` });
    await rpc('completion/complete', {
      ref: { type: 'ref/resource', uri: 'vault://note/{+path}' },
      argument: { name: 'path', value: path.slice(0, 6) },
    });
    for (const query of ['', '?include=links', '?format=map', '?revision=HEAD'])
      expect((await rest(`/v1/notes/${encodePath(path)}${query}`)).statusCode).toBe(404);
    expect((await rest(`/v1/notes/${encodePath(path)}`, { accept: 'text/markdown' })).statusCode).toBe(404);
    const folder = encodeURIComponent(path.slice(0, path.lastIndexOf('/')));
    for (const url of [
      `/v1/query?query=${encodeURIComponent(words[0] ?? '')}`,
      `/v1/notes?folder=${folder}`,
      `/v1/status?path=${encodeURIComponent(path)}`,
    ])
      await rest(url);
  });

  it('has said no word of the others in all of that', async () => {
    for (const uri of ['vault://tags', 'vault://status']) await rpc('resources/read', { uri });
    await rpc('tools/list', {});
    await rpc('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    });
    for (const url of [
      '/v1/status',
      '/v1/status/history',
      '/v1/notes',
      '/v1/trails',
      '/v1/keys',
      '/v1/audit',
      '/metrics',
      '/v1',
    ])
      await rest(url);
    expect(heard.length).toBeGreaterThan(1_000);
    const leaks = SENSITIVE.flatMap(({ path, words }) =>
      [path, ...words].flatMap((secret) =>
        heard
          .map(({ asked, said }) => ({ asked: asked.toLowerCase(), said: said.toLowerCase() }))
          .filter(
            ({ asked, said }) => said.includes(secret.toLowerCase()) && !asked.includes(secret.toLowerCase()),
          )
          .map(({ asked }) => [secret, asked]),
      ),
    );
    expect(leaks).toEqual([]);
  });
});
