import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

let garden: ServedGarden;
beforeAll(async () => {
  garden = await serveGarden();
});
afterAll(() => garden.close());

describe('an address that takes other methods', () => {
  it.each([
    ['/v1/query', 'GET, HEAD, POST'],
    ['/v1/notes/Compost.md', 'DELETE, GET, HEAD, PATCH, PUT'],
    ['/healthz', 'GET, HEAD'],
    ['/mcp', 'DELETE, GET, POST'],
  ])('%s says which, body or not', async (url, allowed) => {
    const headers = { authorization: `Bearer ${garden.key()}` };
    for (const method of ['QUERY', 'PROPFIND', 'TRACE', 'PUT'] as const)
      for (const payload of [undefined, '{"query":']) {
        const answer = await garden.app.inject({
          method: method as 'GET',
          url,
          headers,
          ...(payload === undefined ? {} : { payload }),
        });
        if (allowed.includes(method)) continue;
        expect([method, answer.statusCode, answer.headers.allow]).toEqual([method, 405, allowed]);
        expect(answer.json().code).toBe('method_refused');
      }
    const options = await garden.app.inject({ method: 'OPTIONS', url, headers });
    expect([options.statusCode, options.headers.allow]).toEqual([405, allowed]);
  });
});

describe('an address that is none', () => {
  it('answers 404 without a key, whatever the method', async () => {
    for (const method of ['GET', 'POST', 'QUERY', 'DELETE'] as const) {
      const answer = await garden.app.inject({ method: method as 'GET', url: '/v2/notes', payload: '' });
      expect([method, answer.statusCode]).toEqual([method, 404]);
      expect(answer.json()).toMatchObject({
        code: 'route_unknown',
        detail: `There is nothing at ${method} /v2/notes.`,
      });
    }
  });
});
