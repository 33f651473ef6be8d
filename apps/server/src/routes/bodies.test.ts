import { gzipSync } from 'node:zlib';
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
    expect((await post('/v1/query', prototype)).json().code).toBe('bad_filter');
    expect(({} as { readonly status?: number }).status).toBeUndefined();
  });
});
