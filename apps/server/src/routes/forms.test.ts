import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, askWith } from '../testing/ask.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

let garden: ServedGarden;
let ask: Ask;
beforeAll(async () => {
  garden = await serveGarden();
  ask = askWith(garden.app, garden.key());
});
afterAll(() => garden.close());

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/markdown; charset=utf-8';

describe('the Accept header', () => {
  it.each([
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    ['application/json', JSON_TYPE],
    ['APPLICATION/JSON;charset=utf-8', JSON_TYPE],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', JSON_TYPE],
    ['text/*', TEXT_TYPE],
    ['text/markdown', TEXT_TYPE],
    ['text/markdown; charset=UTF-8', TEXT_TYPE],
    ['text/markdown;q=0.5, application/json;q=0.4', TEXT_TYPE],
    ['text/markdown;q=0.5, application/json', JSON_TYPE],
    ['application/json;q=0, */*', TEXT_TYPE],
    ['text/markdown, */*;q=0.1', TEXT_TYPE],
    ['rubbish, text/markdown', TEXT_TYPE],
  ])('%j is answered with %s', async (accept, type) => {
    for (const url of [
      '/v1/notes/Compost.md',
      '/v1/query?q=compost',
      '/v1/notes',
      '/v1/tags',
      '/v1/status',
    ]) {
      const { statusCode, headers } = await ask(url, { headers: accept === '' ? {} : { accept } });
      expect([statusCode, headers['content-type']]).toEqual([200, type]);
    }
  });

  it.each([
    'text/html',
    'application/json;q=0',
    'image/*',
    '*/*;q=0',
    'rubbish',
    'text/plain, application/xml',
  ])('%j is refused, with what there is', async (accept) => {
    for (const url of ['/v1/notes/Compost.md', '/v1/query?q=compost']) {
      const answer = await ask(url, { headers: { accept } });
      expect(answer.headers['content-type']).toBe('application/problem+json');
      expect(answer.json()).toMatchObject({ status: 406, code: 'not_acceptable' });
      expect(answer.json().hint).toContain('application/json, text/markdown');
    }
  });

  it('gives the text that a model reads as Markdown', async () => {
    const headers = { accept: 'text/markdown' };
    const [hits, list, tags, status, many] = [
      await ask('/v1/query?q=compost', { headers }),
      await ask('/v1/notes', { headers }),
      await ask('/v1/tags', { headers }),
      await ask('/v1/status/health', { headers }),
      await ask('/v1/multi-get', { method: 'POST', headers, payload: { paths: ['Compost', 'Tomatoes'] } }),
    ];
    for (const answer of [hits, list, many]) expect(answer.payload).toContain('Compost.md');
    expect(tags.payload).toContain('garden/soil');
    expect(status.payload).toContain('Garden');
  });
});
