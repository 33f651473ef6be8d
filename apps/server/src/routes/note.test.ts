import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, askWith } from '../testing/ask.ts';
import { rawGet } from '../testing/raw-get.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

const LONG = `---\nabout: "${'words '.repeat(2000)}"\n---\n${'A line of a long note, é 🙂.\n'.repeat(20_000)}`;
const ODD = '\ufeff---\r\nstatus: open\r\n---\r\n# Odd\r\nNo end of line';

let garden: ServedGarden;
let ask: Ask;
let url: string;
beforeAll(async () => {
  garden = await serveGarden({
    'Long.md': LONG,
    'Odd.md': ODD,
    'Beds/Bed 1.md': '# Bed 1\n\n## Soil\n\nClay.\n',
    'Beds/C# & 100%.md': 'sharp\n',
    'Beds/100%25.md': 'escaped\n',
    'Why?.md': 'asked\n',
    'Grün 🌱.md': 'green\n',
    [`${'Ünïcode'.normalize('NFD')}.md`]: 'decomposed\n',
    'One/Same.md': 'one\n',
    'Two/Same.md': 'two\n',
  });
  ask = askWith(garden.app, garden.key());
  url = await garden.listen();
});
afterAll(() => garden.close());

describe('GET /v1/notes/{path}', () => {
  it('answers what get answers, and where the note was found', async () => {
    const answer = await ask('/v1/notes/compost');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-location': '/v1/notes/Compost.md',
      'cache-control': 'private, no-cache',
    });
    expect(answer.json()).toMatchObject({
      found: true,
      path: 'Compost.md',
      frontmatter: { tags: ['garden/soil'] },
    });
    expect(answer.headers.etag).toBe(`"${answer.json().source_hash}"`);
    const vary = String(answer.headers.vary).toLowerCase();
    expect(vary).toContain('accept');
    expect(vary).toContain('authorization');
  });

  it('gives the bytes of the file as text/markdown', async () => {
    for (const [path, text] of [
      ['Odd.md', ODD],
      ['Long', LONG],
    ] as const) {
      const { headers, rawPayload } = await ask(`/v1/notes/${path}`, {
        headers: { accept: 'text/markdown' },
      });
      expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
      expect(rawPayload.equals(Buffer.from(text))).toBe(true);
    }
  });

  it('never cuts a note, so that it has its hashes', async () => {
    const answer = (await ask('/v1/notes/Long.md')).json();
    expect(answer.content).toBe(LONG.slice(LONG.indexOf('A line')));
    expect(answer.frontmatter.about).toHaveLength(12_000);
    expect(answer).not.toHaveProperty('next_offset');
    expect(answer.source_hash).toMatch(/^[0-9a-f]{16}$/);
  });

  it('gives a section, as JSON and as text, and says which', async () => {
    const json = await ask('/v1/notes/Beds/Bed%201.md?section=soil');
    expect(json.json()).toMatchObject({ section: 'Soil', line: 3, content: '## Soil\n\nClay.\n' });
    expect(json.headers['content-location']).toBe('/v1/notes/Beds/Bed%201.md?section=soil');
    expect(json.headers).not.toHaveProperty('etag');
    const text = await ask('/v1/notes/Bed%201%23Soil', { headers: { accept: 'text/markdown' } });
    expect(text.payload).toBe('## Soil\n\nClay.\n');
    expect(text.headers['content-location']).toBe('/v1/notes/Beds/Bed%201.md?section=Soil');
  });

  it('shows lists and maps as Markdown where text is asked for', async () => {
    for (const query of [
      'format=map',
      'include=links',
      'include=links&include=backlinks',
      'include=mentions',
    ]) {
      const { payload, headers } = await ask(`/v1/notes/Tomatoes.md?${query}`, {
        headers: { accept: 'text/markdown' },
      });
      expect(payload).toMatch(/^Tomatoes\.md\n/);
      expect(headers).not.toHaveProperty('etag');
    }
    const { links, backlinks } = (await ask('/v1/notes/Tomatoes.md?include=links&include=backlinks')).json();
    expect(links).toHaveLength(1);
    expect(backlinks).toEqual([]);
    expect((await ask('/v1/notes/Tomatoes.md?include=mentions')).json()).toMatchObject({ mentions: [] });
  });

  it('answers HEAD with the headers of GET', async () => {
    const [get, head] = [
      await ask('/v1/notes/Compost.md'),
      await ask('/v1/notes/Compost.md', { method: 'HEAD' }),
    ];
    expect(head.statusCode).toBe(200);
    expect(head.payload).toBe('');
    for (const name of [
      'etag',
      'content-type',
      'content-length',
      'content-location',
      'vary',
      'cache-control',
    ])
      expect(head.headers[name]).toBe(get.headers[name]);
  });

  it('answers for a periodic note that is not there with where it would be', async () => {
    const { statusCode, headers, ...answer } = await ask('/v1/notes/today');
    expect(statusCode).toBe(404);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(answer.json()).toMatchObject({
      code: 'note_not_found',
      would_be: expect.stringMatching(/^\d{4}-\d\d-\d\d\.md$/),
      hint: expect.stringContaining('it would be'),
    });
  });

  it.each([
    ['/v1/notes/Nobody.md', 404, 'note_not_found'],
    ['/v1/notes/Same', 409, 'note_ambiguous'],
    ['/v1/notes/Compost.md?section=Reds', 404, 'section_not_found'],
    ['/v1/notes/Compost.md?sction=Greens', 422, 'unknown_parameter'],
    ['/v1/notes/Compost.md?path=Tomatoes.md', 422, 'unknown_parameter'],
    ['/v1/notes/Compost.md?revision=0000000', 404, 'revision_not_found'],
    ['/v1/notes/Compost.md?offset=100000', 422, 'bad_input'],
    ['/v1/notes/Compost.md?offset=1&offset=2', 422, 'bad_input'],
    ['/v1/notes/', 422, 'bad_input'],
  ])('%s: %i %s', async (url, status, code) => {
    const answer = await ask(url);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });
});

describe('the path in an address', () => {
  it.each([
    ['Beds/C%23%20%26%20100%25.md', 'sharp\n'],
    ['Beds/C%23%20&%20100%25', 'sharp\n'],
    ['Beds/100%2525.md', 'escaped\n'],
    ['Why%3F.md', 'asked\n'],
    ['Gr%C3%BCn%20%F0%9F%8C%B1.md', 'green\n'],
    [encodeURIComponent('Ünïcode.md'.normalize('NFC')), 'decomposed\n'],
    [encodeURIComponent('Ünïcode.md'.normalize('NFD')), 'decomposed\n'],
  ])('%s is decoded once', async (path, text) => {
    const answer = await ask(`/v1/notes/${path}`, { headers: { accept: 'text/markdown' } });
    expect([answer.statusCode, answer.payload]).toEqual([200, text]);
  });

  it.each([
    'Beds%2FBed%201.md',
    'Beds%5CBed%201.md',
    'Beds%5cBed%201.md',
    '..%2f..%2fetc%2fpasswd',
    '%',
    'a%2',
    'a%zz.md',
    '%FF.md',
    '%C3%28.md',
    '%ED%A0%80.md',
    'Compost.md?section=%',
    'Compost.md?section=%FF',
  ])('%s is refused as an address', async (path) => {
    const answer = await ask(`/v1/notes/${path}`);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'bad_url']);
  });

  it.each(['Beds%252FBed%25201.md', 'Bed%25201.md', 'Compos%2574.md'])(
    '%s is not decoded twice',
    async (path) => {
      const answer = await ask(`/v1/notes/${path}`);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'note_not_found']);
    },
  );

  it.each([
    '../x.md',
    'Beds/../Compost.md',
    '%2e%2e/x.md',
    '../../etc/passwd',
    '.obsidian/app.json',
    'Beds/.git/config',
    '.hidden',
    'a%00b',
  ])('%s cannot name a note', async (path) => {
    const { status, body } = await rawGet(url, `/v1/notes/${path}`, garden.key());
    expect([status, JSON.parse(body).code]).toEqual([422, 'bad_path']);
  });

  it('may stand in an absolute request target', async () => {
    const { status, body } = await rawGet(url, `${url}/v1/notes/Why%3F.md`, garden.key());
    expect([status, JSON.parse(body).content]).toEqual([200, 'asked\n']);
  });
});
