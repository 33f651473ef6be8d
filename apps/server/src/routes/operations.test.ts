import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, askWith } from '../testing/ask.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

let garden: ServedGarden;
let ask: Ask;
beforeAll(async () => {
  garden = await serveGarden({
    'Plant.md': '---\ntype: plant\nstatus: active\ntags: [garden, glass]\n---\nUnder glass.\n',
  });
  ask = askWith(garden.app, garden.key());
});
afterAll(() => garden.close());

const paths = (list: { readonly path: string }[]) => list.map(({ path }) => path);

describe('/v1/query', () => {
  it('takes q, query and every filter in the address', async () => {
    expect(paths((await ask('/v1/query?q=weeks')).json().hits)).toEqual(['Compost.md']);
    expect(paths((await ask('/v1/query?query=weeks&explain=true&limit=1')).json().hits)).toEqual([
      'Compost.md',
    ]);
    expect(paths((await ask('/v1/query?q=see&tags=garden')).json().hits)).toEqual(['Tomatoes.md']);
    expect((await ask('/v1/query?q=see&q=more')).json().code).toBe('bad_input');
    expect((await ask('/v1/query?q=a&query=b')).json()).toMatchObject({
      status: 422,
      code: 'bad_input',
      name: 'q',
    });
  });

  it('makes lists of parameters that repeat, and takes JSON for objects', async () => {
    const both = await ask('/v1/query?q=glass&tags=garden&tags=glass');
    expect(paths(both.json().hits)).toEqual(['Plant.md']);
    expect((await ask('/v1/query?q=glass&tags=garden&tags=-glass')).json().hits).toEqual([]);
    const where = encodeURIComponent('{"status": "active"}');
    expect(paths((await ask(`/v1/query?q=glass&where=${where}`)).json().hits)).toEqual(['Plant.md']);
    const searches = encodeURIComponent('[{"type": "regex", "query": "gl[a]ss"}]');
    expect(paths((await ask(`/v1/query?searches=${searches}`)).json().hits)).toEqual(['Plant.md']);
  });

  it('takes the same in a body', async () => {
    const payload = { query: 'glass', tags: ['garden', 'glass'], where: { status: 'active' } };
    const answer = await ask('/v1/query', { method: 'POST', payload });
    expect(paths(answer.json().hits)).toEqual(['Plant.md']);
    expect(answer.headers['cache-control']).toBe('private, no-cache');
  });

  it('goes on with a cursor, which another key cannot use', async () => {
    const { cursor, hits } = (await ask('/v1/query?q=garden&limit=1')).json();
    const next = (await ask(`/v1/query?q=garden&limit=1&cursor=${cursor}`)).json();
    expect(paths(next.hits)).not.toEqual(paths(hits));
    const other = askWith(garden.app, garden.key());
    expect((await other(`/v1/query?q=garden&limit=1&cursor=${cursor}`)).json().code).toBe('bad_cursor');
  });

  it('refuses what it does not know and says what was meant', async () => {
    const answer = await ask('/v1/query?q=x&limt=3');
    expect(answer.json()).toMatchObject({
      status: 422,
      code: 'unknown_parameter',
      detail: expect.stringContaining('Did you mean "limit"?'),
      type: '/docs/errors#unknown_parameter',
    });
    expect((await ask('/v1/query?q=x&__proto__=1')).json().code).toBe('unknown_parameter');
  });
});

describe('/v1/notes and /v1/tags', () => {
  it('lists what the filters leave', async () => {
    expect(paths((await ask('/v1/notes?sort=path')).json().notes)).toEqual([
      'Broken.md',
      'Compost.md',
      'Plant.md',
      'Private/Diary.md',
      'Tomatoes.md',
    ]);
    expect(paths((await ask('/v1/notes?types=plant')).json().notes)).toEqual(['Plant.md']);
    expect(paths((await ask('/v1/notes?folder=Private')).json().notes)).toEqual(['Private/Diary.md']);
    const where = encodeURIComponent('{"glob": ["Private/*", {"var": "path"}]}');
    expect(paths((await ask(`/v1/notes?where=${where}`)).json().notes)).toEqual(['Private/Diary.md']);
    expect((await ask('/v1/notes?of=tasks&states=open,done')).json()).toMatchObject({
      of: 'tasks',
      tasks: [],
    });
    expect((await ask('/v1/notes?of=folders')).json().groups).toContainEqual({ name: 'Private', notes: 1 });
  });

  it('counts tags', async () => {
    const { groups, of } = (await ask('/v1/tags')).json();
    expect(of).toBe('tags');
    expect(groups).toContainEqual({ name: 'garden', notes: 3 });
    expect((await ask('/v1/tags?of=notes')).json()).toMatchObject({ code: 'unknown_parameter', name: 'of' });
  });
});

describe('/v1/multi-get', () => {
  it('reads several notes, and says which it could not', async () => {
    const payload = { paths: ['Compost', 'Nobody'] };
    const { notes, errors } = (await ask('/v1/multi-get', { method: 'POST', payload })).json();
    expect(paths(notes)).toEqual(['Compost.md']);
    expect(errors).toMatchObject([{ asked: 'Nobody', error: { code: 'note_not_found' } }]);
  });
});

describe('/v1/status', () => {
  it('tells the health of the vault, with its mode or without', async () => {
    const [bare, named] = [await ask('/v1/status'), await ask('/v1/status/health?path=Broken.md')];
    expect(bare.json()).toMatchObject({ mode: 'health', vault: 'Garden', notes: 5 });
    expect(named.json().file).toMatchObject({ path: 'Broken.md', status: 'indexed' });
    expect((await ask('/v1/status/poetry')).json()).toMatchObject({
      status: 422,
      code: 'bad_input',
      name: 'mode',
    });
    expect((await ask('/v1/status?mode=health')).json().code).toBe('unknown_parameter');
  });
});

describe('one View a key', () => {
  it('holds in search, lists, counts and status', async () => {
    const limited = askWith(garden.app, garden.key({ denyPaths: ['Private'] }));
    expect((await limited('/v1/query?q=xylophone')).json().total).toBe(0);
    expect((await limited('/v1/notes')).json().total).toBe(4);
    expect((await limited('/v1/status')).json().notes).toBe(4);
    const many = await limited('/v1/multi-get', { method: 'POST', payload: { paths: '**' } });
    expect(many.payload).not.toContain('Diary');
  });

  it('needs the scope read', async () => {
    const appending = askWith(garden.app, garden.key({ scopes: ['append'] }));
    for (const url of ['/v1/query?q=x', '/v1/notes', '/v1/notes/Compost.md', '/v1/tags', '/v1/status'])
      expect((await appending(url)).json()).toMatchObject({ status: 403, code: 'scope_missing' });
  });
});
