import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';
import { openApiDocument, routeDescriptions } from './document.ts';
import { renderOpenApi } from './render.ts';
import { codesOf } from './responses.ts';
import { DescribedAnswers } from './testing/described-answers.ts';

const document = openApiDocument('1.2.3');
const described = new DescribedAnswers(document);

describe('the description', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('says the same as YAML, also to readers of YAML 1.1', () => {
    const text = renderOpenApi('1.2.3');
    for (const version of ['1.1', '1.2'] as const) expect(parse(text, { version })).toEqual(document);
  });

  it('names each operation once, with words, examples and the errors it can have', () => {
    const ids = routeDescriptions.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const route of routeDescriptions) {
      expect(route.summary.length, route.operationId).toBeGreaterThan(5);
      expect(route.description.length, route.operationId).toBeGreaterThan(5);
      const codes = codesOf(route);
      expect(codes).toContain('internal');
      expect(codes.includes('key_missing')).toBe(route.access !== 'open');
    }
  });

  it.each(routeDescriptions.filter(({ body }) => body !== undefined))(
    'gives bodies as examples that fit: $operationId',
    ({ method, path, body }) => {
      for (const [name, example] of Object.entries(body?.examples ?? {}))
        expect(described.bodyErrors(path, method, example), name).toBeNull();
    },
  );

  it.each(routeDescriptions.filter(({ method }) => method !== 'head'))(
    'gives answers as examples that fit: $operationId',
    (route) => {
      for (const [status, { content = {} }] of Object.entries(route.answers))
        for (const [type, { example }] of Object.entries(content))
          if (example !== undefined)
            expect(
              described.answerErrors(route.path, route.method, Number(status), type, example),
              `${status} ${type}`,
            ).toBeNull();
    },
  );
});

describe('the server', () => {
  let garden: ServedGarden;
  beforeAll(async () => {
    garden = await serveGarden();
  });
  afterAll(() => garden.close());

  it('serves the description without a key', async () => {
    const answer = await garden.app.inject('/openapi.json');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual(openApiDocument('0.0.0-test'));
  });

  it('has the routes of the description and no others', () => {
    const routes = [...garden.app.offers]
      // OAuth describes itself in its metadata, and pages are for people.
      .filter(([url]) => url !== '*' && !/^\/(?:oauth|\.well-known|invite|owner|pages)(?:\/|$)/.test(url))
      .flatMap(([url, { methods }]) => [...methods].map(([method, access]) => `${method} ${url} ${access}`))
      // Taken only to be refused as JSON-RPC.
      .filter((route) => !/^(?:PUT|PATCH) \/mcp /.test(route));
    const expected = routeDescriptions.map(
      ({ method, path, access }) => `${method.toUpperCase()} ${routerPath(path)} ${access}`,
    );
    // What answers GET answers HEAD: RFC 9110 section 9.3.2.
    const heads = routes.filter((route) => route.startsWith('HEAD ') && !expected.includes(route));
    for (const head of heads) expect(expected).toContain(head.replace('HEAD', 'GET'));
    expect(routes.filter((route) => !heads.includes(route)).sort()).toEqual(expected.sort());
  });
});

function routerPath(path: string): string {
  if (path === '/v1/notes/{path}/append') return '/v1/notes/*';
  return path === '/v1/notes/{path}' ? '/v1/notes/*' : path.replaceAll(/\{(\w+)\}/g, ':$1');
}
