import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

let garden: ServedGarden;
beforeAll(async () => {
  garden = await serveGarden();
});
afterAll(() => garden.close());

describe('the root of the server', () => {
  it.each([undefined, '*/*', 'application/json', 'image/png'])(
    'names the version and where to go on as JSON, for Accept: %s',
    async (accept) => {
      const answer = await garden.app.inject({ url: '/', headers: accept === undefined ? {} : { accept } });
      expect(answer.statusCode).toBe(200);
      expect(String(answer.headers.vary)).toContain('Accept');
      expect(answer.json()).toMatchObject({
        name: 'Grove',
        version: '0.0.0-test',
        mcp: '/mcp',
        docs: '/docs',
      });
    },
  );

  it('is a page in a browser, with links that answer, and without a script or a word of a vault', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const { headers, payload } = await garden.app.inject({ url: '/', headers: { accept } });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(String(headers['content-security-policy'])).toContain("default-src 'none'");
    expect(payload).toContain('0.0.0-test');
    expect(payload).toContain('/mcp');
    expect(payload).toContain('README.md');
    expect(payload).not.toMatch(/<script|garden/i);
    expect(payload).toMatch(/<a href="cursor:\/\/anysphere[^"]+">Install in Cursor<\/a>/);
    expect(payload).toMatch(/<a href="vscode:mcp\/install\?[^"]+">Install in VS Code<\/a>/);
    const links = [...payload.matchAll(/href="([^":]+)"/g)].map(([, link]) => `/${link}`);
    expect(links).toEqual(['/docs/pages.css', '/owner', '/docs', '/docs/errors', '/openapi.json']);
    const answers = await Promise.all(links.map((link) => garden.app.inject(link)));
    // The owner is sent on to sign in.
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 303, 200, 200, 200]);
  });

  it('says the same to whoever asks with a key', async () => {
    const headers = { authorization: `Bearer ${garden.key()}` };
    const [one, other] = [await garden.app.inject('/'), await garden.app.inject({ url: '/', headers })];
    expect(other.json()).toEqual(one.json());
  });
});
