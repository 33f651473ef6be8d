import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../openapi/document.ts';
import { DescribedAnswers } from '../openapi/testing/described-answers.ts';
import { type Ask, askWith } from '../testing/ask.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

const described = new DescribedAnswers(openApiDocument('0.0.0-test'));

let garden: ServedGarden;
let ask: Ask;
beforeAll(async () => {
  garden = await serveGarden({ 'One/Same.md': '# A\n\n## B\n\n## B\n', 'Two/Same.md': 'two\n' });
  ask = askWith(garden.app, garden.key({ scopes: ['read', 'admin'] }));
});
afterAll(() => garden.close());

type Answer = Awaited<ReturnType<Ask>>;

/** No server error, and nothing that the description does not say. */
function expectDescribed(path: string, method: 'get' | 'head' | 'post' | 'delete', answer: Answer): void {
  const { statusCode, headers, payload } = answer;
  const [type = ''] = String(headers['content-type'] ?? '').split(';');
  expect(statusCode, payload).toBeLessThan(500);
  expect(headers['x-request-id']).toBeDefined();
  if (method === 'head') {
    expect(payload).toBe('');
    expect(described.answerErrors(path, 'head', statusCode, '', null)).toBeNull();
    return;
  }
  const body = type.endsWith('json') ? JSON.parse(payload) : payload;
  expect(described.answerErrors(path, method, statusCode, type, body), payload.slice(0, 500)).toBeNull();
}

const READING: readonly (readonly [path: string, url: string])[] = [
  ['/v1/query', '/v1/query'],
  ['/v1/notes', '/v1/notes'],
  ['/v1/tags', '/v1/tags'],
  ['/v1/status', '/v1/status'],
  ['/v1/status/{mode}', '/v1/status/health'],
  ['/v1/notes/{path}', '/v1/notes/Compost.md'],
  ['/v1/notes/{path}', '/v1/notes/today'],
  ['/v1/notes/{path}', '/v1/notes/Same'],
  ['/v1/notes/{path}', '/v1/notes/One/Same.md'],
  ['/v1/keys', '/v1/keys'],
  ['/v1/keys/{id}', '/v1/keys/k_000000000000'],
  ['/v1/trails', '/v1/trails'],
  ['/v1/trails/{id}', '/v1/trails/t_000000000000'],
  ['/v1/trails/{id}/usage', '/v1/trails/t_000000000000/usage'],
  ['/v1/trails/{id}/preview', '/v1/trails/t_000000000000/preview'],
  ['/v1/grants', '/v1/grants'],
  ['/v1/audit', '/v1/audit'],
];
const TAKING_BODIES = ['/v1/query', '/v1/multi-get', '/v1/keys', '/v1/trails'] as const;
const PARAMETERS =
  'q query searches tags folders types after before where return limit max_chars cursor explain why intent of folder depth glob match min_count sort fields path paths section subsections format include offset mode name scopes expires read_paths allow_tags deny_types allow_paths write_folders reads writes trail key tool outcome since until note'.split(
    ' ',
  );

const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    ...[
      '',
      '0',
      '-1',
      '3',
      '1e9',
      'true',
      'no',
      '[',
      '{}',
      '[[]]',
      '{"a":{"<":1}}',
      '%',
      '\u0000',
      '*',
      '**',
      '(',
    ],
    ...[
      '..',
      'compost',
      'B',
      'Greens',
      'map',
      'raw',
      'links',
      'tags',
      'folders',
      'passages',
      '7d',
      'yesterday',
    ],
    ...[
      '[{"type":"regex","query":"a|b"}]',
      '[{"type":"like","query":"Compost"}]',
      '90d',
      'read,admin',
      'title',
    ],
  ),
);
const accept = fc.option(
  fc.constantFrom('*/*', 'application/json', 'text/markdown', 'text/html', 'rubbish'),
  {
    nil: undefined,
  },
);

describe('anything that can be asked is answered as the description says', () => {
  it('by parameters in the address', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...READING),
        fc.array(fc.tuple(fc.constantFrom(...PARAMETERS), value), { maxLength: 4 }),
        accept,
        fc.constantFrom('get', 'get', 'get', 'head'),
        async ([path, url], pairs, form, method) => {
          const query = pairs.map(([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`);
          const answer = await ask(`${url}?${query.join('&')}`, {
            method: method === 'head' ? 'HEAD' : 'GET',
            headers: form === undefined ? {} : { accept: form },
          });
          const isDescribed = method === 'get' || path === '/v1/notes/{path}';
          if (isDescribed) expectDescribed(path, method as 'get' | 'head', answer);
          else expect(answer.statusCode).toBeLessThan(500);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('by any path and query', async () => {
    const raw = fc.string({
      unit: fc.constantFrom(
        ...'%&=+;/?.:@!$\\\'"<>[]{}|^`~aA0é'.split(''),
        '%2F',
        '%20',
        '%c3%a9',
        'Compost',
      ),
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...READING.map(([path, url]) => [path, `${url}?`] as const), [
          '/v1/notes/{path}',
          '/v1/notes/',
        ] as const),
        raw,
        async ([path, url], text) => expectDescribed(path, 'get', await ask(`${url}${text}`)),
      ),
      { numRuns: 500 },
    );
  });

  it('by any body', async () => {
    const json = fc.oneof(
      fc.dictionary(fc.constantFrom(...PARAMETERS), fc.oneof(value, fc.jsonValue({ maxDepth: 3 }))),
      fc.record({ paths: fc.array(value), query: value, name: value }, { requiredKeys: [] }),
      fc.jsonValue(),
    );
    const body = fc.oneof(
      { weight: 5, arbitrary: json.map((given) => Buffer.from(JSON.stringify(given))) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...TAKING_BODIES), body, async (url, payload) => {
        const answer = await ask(url, {
          method: 'POST',
          payload,
          headers: { 'content-type': 'application/json' },
        });
        expectDescribed(url, 'post', answer);
      }),
      { numRuns: 500 },
    );
  });
});

describe('every route', () => {
  it('answers as described when all is well', async () => {
    for (const [path, url] of READING) expectDescribed(path, 'get', await ask(url));
    for (const url of ['/healthz', '/readyz', '/openapi.json', '/docs', '/docs/errors', '/metrics'])
      expectDescribed(url, 'get', await ask(url));
    expectDescribed('/docs/{asset}', 'get', await ask('/docs/pages.css'));
    expectDescribed('/docs/{asset}', 'get', await ask('/docs/nothing'));
    const made = await ask('/v1/keys', { method: 'POST', payload: { name: 'Probe', expires: '1d' } });
    expectDescribed('/v1/keys', 'post', made);
    const { id } = made.json().key;
    expectDescribed('/v1/keys/{id}', 'get', await ask(`/v1/keys/${id}`));
    expectDescribed('/v1/keys/{id}/rotate', 'post', await ask(`/v1/keys/${id}/rotate`, { method: 'POST' }));
    for (let times = 0; times < 2; times += 1)
      expectDescribed('/v1/keys/{id}', 'delete', await ask(`/v1/keys/${id}`, { method: 'DELETE' }));
    expectDescribed('/v1/keys/{id}/rotate', 'post', await ask(`/v1/keys/${id}/rotate`, { method: 'POST' }));
    const payload = { paths: ['Compost', 'Same', 'Nobody'] };
    expectDescribed('/v1/multi-get', 'post', await ask('/v1/multi-get', { method: 'POST', payload }));
    const [tag] = [String((await ask('/v1/notes/Compost.md')).headers.etag)];
    for (const method of ['GET', 'HEAD'] as const)
      expectDescribed(
        '/v1/notes/{path}',
        method === 'GET' ? 'get' : 'head',
        await ask('/v1/notes/Compost.md', { method, headers: { 'if-none-match': tag } }),
      );
  });

  it('refuses as described a missing key, a wrong one, a narrow one, and a foreign host', async () => {
    const closed = [...READING, ['/metrics', '/metrics'] as const];
    const narrow = garden.key({ scopes: ['append'] });
    for (const [path, url] of closed)
      for (const headers of [
        {},
        { authorization: 'Bearer grove_wrong' },
        { authorization: 'Basic eDp5' },
        { authorization: `Bearer ${narrow}` },
        { host: 'evil.example' },
        { origin: 'https://evil.example' },
      ]) {
        const answer = await garden.app.inject({ url, headers });
        expect(answer.statusCode).toBeGreaterThanOrEqual(401);
        expectDescribed(path, 'get', answer);
      }
  });
});
