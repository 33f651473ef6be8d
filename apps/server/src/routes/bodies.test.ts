import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../http/options.ts';
import { type Ask, askWith } from '../testing/ask.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

let garden: ServedGarden;
let ask: Ask;
beforeAll(async () => {
  garden = await serveGarden({}, { limits: { ...DEFAULT_LIMITS, maxBodyBytes: 64 * 1024 } });
  ask = askWith(garden.app, garden.key({ scopes: ['read', 'admin'] }));
});
afterAll(() => garden.close());

const TAKING_BODIES = ['/v1/query', '/v1/multi-get', '/v1/keys'] as const;

function post(
  url: string,
  payload: string | Buffer | undefined,
  headers: Readonly<Record<string, string>> = {},
) {
  const type = { 'content-type': 'application/json' };
  return ask(url, {
    method: 'POST',
    ...(payload === undefined ? {} : { payload }),
    headers: { ...type, ...headers },
  });
}

describe.each(TAKING_BODIES)('a body of %s', (url) => {
  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['blanks', '  \n'],
    ['no JSON', 'query=compost'],
    ['half of JSON', '{"query": "x"'],
    ['a list', '[1, 2]'],
    ['a text', '"{\\"query\\": \\"x\\"}"'],
    ['null', 'null'],
    ['a number', '17'],
    ['bytes that are no UTF-8', Buffer.from('{"query": "caf\u00e9"}', 'latin1')],
    ['half a character', Buffer.from([...Buffer.from('{"query": "'), 0xed, 0xa0, 0x80, 0x22, 0x7d])],
    ['UTF-16', Buffer.from('{"query": "x"}', 'utf16le')],
    ['nesting without end', '['.repeat(60_000)],
  ])('that is %s is refused as such', async (_, payload) => {
    const answer = await post(url, payload);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.json()).toMatchObject({ status: 400, code: 'bad_body' });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/merge-patch+json',
    'rubbish',
    '',
  ])('of the type %j is refused with the one that is taken', async (type) => {
    const answer = await post(url, '{"query": "x"}', { 'content-type': type });
    expect(answer.json()).toMatchObject({ status: 415, code: 'media_type_refused' });
    expect(answer.json().hint).toContain('application/json');
  });

  it.each(['gzip', 'br', 'deflate, gzip', 'rubbish'])('encoded by %s is refused', async (encoding) => {
    const answer = await post(url, gzipSync('{"query": "x"}'), { 'content-encoding': encoding });
    expect(answer.json()).toMatchObject({ status: 415, code: 'media_type_refused' });
  });

  it('that is too large is refused', async () => {
    const answer = await post(url, JSON.stringify({ query: 'x'.repeat(70_000) }));
    expect(answer.json()).toMatchObject({ status: 413, code: 'body_too_large', limit: 65_536 });
  });

  it('may not name what JavaScript keeps for itself', async () => {
    for (const text of [
      '{"__proto__": {"query": "x"}}',
      '{"constructor": {"prototype": {}}}',
      '{"toString": 1}',
    ])
      expect((await post(url, text)).json()).toMatchObject({ status: 422, code: 'unknown_parameter' });
  });
});

describe('what a body may be', () => {
  it('is JSON with a byte order mark, any charset named, or marked as not encoded', async () => {
    const text = '{"query": "compost"}';
    for (const [payload, headers] of [
      [`\ufeff${text}`, {}],
      [text, { 'content-type': 'application/json; charset=utf-8' }],
      [text, { 'content-type': 'APPLICATION/JSON' }],
      [text, { 'content-encoding': 'identity' }],
    ] as const)
      expect((await post('/v1/query', payload, headers)).statusCode).toBe(200);
  });

  it('holds values nested as deep as they like, which are judged like any other', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    expect((await post('/v1/query', `{"query": ${deep}}`)).json()).toMatchObject({ code: 'bad_input' });
    expect((await post('/v1/query', `{"query": "x", "where": {"a": ${deep}}}`)).json().code).toBe(
      'bad_filter',
    );
    const prototype = '{"query": "compost", "where": {"__proto__": {"status": 1}}}';
    expect((await post('/v1/query', prototype)).statusCode).toBeLessThan(500);
    expect(({} as { readonly status?: number }).status).toBeUndefined();
  });
});

const READING = ['/v1/query', '/v1/notes', '/v1/tags', '/v1/status', '/v1/notes/Compost.md', '/v1/keys'];
const PARAMETERS = [
  'q',
  'query',
  'searches',
  'tags',
  'folders',
  'types',
  'after',
  'before',
  'where',
  'return',
  'limit',
  'max_chars',
  'cursor',
  'explain',
  'why',
  'intent',
  'of',
  'folder',
  'depth',
  'glob',
  'match',
  'min_count',
  'sort',
  'fields',
  'path',
  'section',
  'subsections',
  'format',
  'include',
  'offset',
  'mode',
  'name',
  'scopes',
  'expires',
];
const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    'true',
    '[',
    '{}',
    '[[]]',
    '{"a":{"<":1}}',
    '%',
    '\u0000',
    '*',
    '**',
    '(',
    '..',
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);

describe('anything that can be asked', () => {
  it('in a query is answered, or refused with problem details', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...READING),
        fc.array(fc.tuple(fc.constantFrom(...PARAMETERS), value), { maxLength: 4 }),
        async (url, pairs) => {
          const query = pairs
            .map(([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`)
            .join('&');
          await expectAnswer(await ask(`${url}?${query}`));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('as a raw query or path, too', async () => {
    const raw = fc.string({
      unit: fc.constantFrom(...'%&=+;/?.:@!$\\\'"<>[]{}|^`~aA0é'.split('')),
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...READING.map((url) => `${url}?`), '/v1/notes/', '/v1/status/'),
        raw,
        async (url, text) => {
          await expectAnswer(await ask(`${url}${text}`));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('in a body is answered, or refused with problem details', async () => {
    const json = fc.oneof(
      fc.dictionary(fc.constantFrom(...PARAMETERS, 'paths'), fc.oneof(value, fc.jsonValue({ maxDepth: 3 }))),
      fc.jsonValue(),
    );
    const body = fc.oneof(
      json.map((given) => Buffer.from(JSON.stringify(given))),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...TAKING_BODIES), body, async (url, payload) => {
        await expectAnswer(await post(url, payload));
      }),
      { numRuns: 300 },
    );
  });
});

async function expectAnswer({ statusCode, headers, payload }: Awaited<ReturnType<Ask>>): Promise<void> {
  expect(statusCode).toBeLessThan(500);
  if (statusCode < 400) return;
  expect(headers['content-type']).toBe('application/problem+json');
  expect(JSON.parse(payload)).toMatchObject({
    status: statusCode,
    code: expect.any(String),
    hint: expect.any(String),
  });
}
