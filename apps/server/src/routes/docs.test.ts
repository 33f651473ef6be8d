import { CATALOGUE } from '@grove/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askWith } from '../testing/ask.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

let garden: ServedGarden;
beforeAll(async () => {
  garden = await serveGarden();
});
afterAll(() => garden.close());

const PAGES = ['/docs', '/docs/errors'];
const ASSETS = ['/docs/docs.js', '/docs/pages.css', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'];

describe('the pages about the interface', () => {
  it.each([...PAGES, ...ASSETS])(
    '%s needs no key, and may do nothing but talk to its own server',
    async (url) => {
      const { statusCode, headers } = await garden.app.inject(url);
      expect(statusCode).toBe(200);
      expect(headers['x-content-type-options']).toBe('nosniff');
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    },
  );

  it.each([...PAGES, ...ASSETS])('%s is confirmed while it is unchanged', async (url) => {
    const { etag } = (await garden.app.inject(url)).headers;
    const again = await garden.app.inject({ url, headers: { 'if-none-match': String(etag) } });
    expect([again.statusCode, again.payload]).toEqual([304, '']);
  });

  it('describe every error where the type of a problem points', async () => {
    const page = (await garden.app.inject('/docs/errors')).payload;
    for (const code of Object.keys(CATALOGUE)) expect(page).toContain(`<section id="${code}">`);
    const problem = (await askWith(garden.app, garden.key())('/v1/notes/Nobody.md')).json();
    expect(problem.type).toBe('/docs/errors#note_not_found');
  });

  it.each(['/docs/nothing', '/docs/..%2fpackage.json', '/docs/__proto__', '/docs/pages.css/x'])(
    '%s is nothing',
    async (url) => {
      const answer = await garden.app.inject(url);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'route_unknown']);
    },
  );
});
