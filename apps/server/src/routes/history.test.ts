import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, askWith } from '../testing/ask.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

let garden: ServedGarden;
let ask: Ask;
let commits: { readonly commit: string; readonly author: string }[];
beforeAll(async () => {
  garden = await serveGarden({});
  await garden.opened.writes.switch(true);
  ask = askWith(garden.app, garden.key({ name: 'Writer', scopes: ['read', 'write'] }));
  for (const text of ['one\n', 'two\n']) {
    const headers = { 'content-type': 'text/markdown', 'if-match': '*' };
    const first = { 'content-type': 'text/markdown', 'if-none-match': '*' };
    const written = await ask('/v1/notes/Past.md', {
      method: 'PUT',
      headers: text === 'one\n' ? first : headers,
      payload: text,
    });
    expect(written.statusCode, written.body).toBeLessThan(300);
  }
  commits = (await ask('/v1/status/history?path=Past.md')).json().commits;
});
afterAll(() => garden.close());

describe('the past over REST', () => {
  it('lists commits by what signed them, with differences, page by page', async () => {
    expect(commits).toMatchObject([{ author: 'Writer' }, { author: 'Writer' }]);
    const page = await ask('/v1/status/history?path=Past.md&diff=true&limit=1&by=me');
    expect(page.json().commits).toMatchObject([{ notes: [{ diff: expect.stringContaining('+two') }] }]);
    const { cursor } = page.json();
    const next = await ask(`/v1/status/history?path=Past.md&diff=true&limit=1&by=me&cursor=${cursor}`);
    expect(next.json().commits).toMatchObject([{ commit: commits[1]!.commit }]);
    const health = await ask('/v1/status?since=7d');
    expect(health.statusCode).toBe(422);
  });

  it('answers a note at a revision, without an entity tag of the note of now', async () => {
    const revision = commits[1]!.commit;
    const then = await ask(`/v1/notes/Past.md?revision=${revision}`);
    expect(then.statusCode).toBe(200);
    expect(then.json()).toMatchObject({ content: 'one\n', revision: { commit: revision } });
    expect(then.headers.etag).toBeUndefined();
    expect(then.headers['content-location']).toBe(`/v1/notes/Past.md?revision=${revision}`);
    const text = await ask('/v1/notes/Past.md?revision=previous', { headers: { accept: 'text/markdown' } });
    expect(text.body).toBe('one\n');
    const none = await ask('/v1/notes/Past.md?revision=0000000');
    expect([none.statusCode, none.json().code]).toEqual([404, 'revision_not_found']);
    const { history } = (await ask('/v1/notes/Past.md?include=history')).json();
    expect(history).toHaveLength(2);
  });
});
