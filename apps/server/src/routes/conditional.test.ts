import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, askWith } from '../testing/ask.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';
import { mayConfirm, noteTag } from './entity-tag.ts';

let garden: ServedGarden;
let ask: Ask;
beforeAll(async () => {
  garden = await serveGarden({ 'Edited.md': 'before\n', 'Removed.md': 'there\n' });
  ask = askWith(garden.app, garden.key());
});
afterAll(() => garden.close());

const ifNoneMatch = (value: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { 'if-none-match': value, ...more },
});

describe('If-None-Match', () => {
  it('answers 304 with the headers of the note and no body while it is unchanged', async () => {
    const first = await ask('/v1/notes/Compost.md');
    const tag = String(first.headers.etag);
    const second = await ask('/v1/notes/Compost.md', ifNoneMatch(tag));
    expect([second.statusCode, second.payload]).toEqual([304, '']);
    for (const name of ['etag', 'content-location', 'cache-control', 'vary'])
      expect(second.headers[name]).toBe(first.headers[name]);
    expect(second.headers).not.toHaveProperty('content-type');
    expect((await ask('/v1/notes/Compost.md', { method: 'HEAD', ...ifNoneMatch(tag) })).statusCode).toBe(304);
  });

  it.each([
    [(tag: string) => `W/${tag}`, 304],
    [(tag: string) => `"other", W/"x" , ${tag}`, 304],
    [() => '*', 304],
    [() => ' * ', 304],
    [() => '"other"', 200],
    [(tag: string) => tag.replaceAll('"', ''), 200],
    [(tag: string) => tag.slice(0, -2), 200],
    [() => ',,,', 200],
    [() => '"', 200],
    [() => '\u00e9', 200],
  ])('takes lists, weak tags and *: %s answers %i', async (value, status) => {
    const tag = String((await ask('/v1/notes/Compost.md')).headers.etag);
    expect((await ask('/v1/notes/Compost.md', ifNoneMatch(value(tag)))).statusCode).toBe(status);
  });

  it('sees an edit on disk', async () => {
    const tag = String((await ask('/v1/notes/Edited.md')).headers.etag);
    garden.write('Edited.md', 'after\n');
    const edited = await ask('/v1/notes/Edited.md', ifNoneMatch(tag));
    expect([edited.statusCode, edited.json().content]).toEqual([200, 'after\n']);
    expect(edited.headers.etag).not.toBe(tag);
  });

  it('tells the forms of a note apart, so that a cache never serves one for the other', async () => {
    const asText = { accept: 'text/markdown' };
    const json = String((await ask('/v1/notes/Compost.md')).headers.etag);
    const text = String((await ask('/v1/notes/Compost.md', { headers: asText })).headers.etag);
    expect(text).not.toBe(json);
    expect((await ask('/v1/notes/Compost.md', ifNoneMatch(json, asText))).statusCode).toBe(200);
    expect((await ask('/v1/notes/Compost.md', ifNoneMatch(text, asText))).statusCode).toBe(304);
    expect((await ask('/v1/notes/Compost.md', ifNoneMatch(text))).statusCode).toBe(200);
  });

  it.each([
    '?include=links',
    '?include=backlinks',
    '?include=mentions',
    '?section=Greens',
    '?format=map',
    '?offset=3',
  ])('is not answered 304 for what is not the note as such: %s', async (query) => {
    const tag = String((await ask('/v1/notes/Compost.md')).headers.etag);
    for (const value of [tag, '*']) {
      const answer = await ask(`/v1/notes/Compost.md${query}`, ifNoneMatch(value));
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).not.toHaveProperty('etag');
    }
  });

  it('is not answered 304 where another note may answer to the name by now', async () => {
    const named = await ask('/v1/notes/heap');
    expect(named.headers['content-location']).toBe('/v1/notes/Compost.md');
    expect((await ask('/v1/notes/heap', ifNoneMatch(String(named.headers.etag)))).statusCode).toBe(200);
  });

  it('is not answered 304 for a note that is gone, or that the key does not show', async () => {
    const tag = String((await ask('/v1/notes/Removed.md')).headers.etag);
    rmSync(join(garden.root, 'Removed.md'));
    expect((await ask('/v1/notes/Removed.md', ifNoneMatch(tag))).statusCode).toBe(404);

    const diary = String((await ask('/v1/notes/Private/Diary.md')).headers.etag);
    const limited = askWith(garden.app, garden.key({ denyPaths: ['Private'] }));
    for (const value of [diary, '*'])
      for (const method of ['GET', 'HEAD'] as const) {
        const hidden = await limited('/v1/notes/Private/Diary.md', { method, ...ifNoneMatch(value) });
        const missing = await limited('/v1/notes/Private/Nobody.md', { method, ...ifNoneMatch(value) });
        expect(hidden.statusCode).toBe(404);
        expect(facts(hidden)).toEqual(facts(missing));
      }
  });
});

describe('a note that Grove itself has changed since', () => {
  const changed = { resolved: 'path', source_hash: 'a'.repeat(16), content_hash: 'b'.repeat(16) };

  it('keeps its entity tag, and is not confirmed', () => {
    expect(noteTag(changed, 'json')).toBe(`"${'a'.repeat(16)}"`);
    expect(mayConfirm(changed)).toBe(false);
    expect(mayConfirm({ ...changed, content_hash: changed.source_hash })).toBe(true);
  });
});

/** What an answer says, without the name that was asked for and what differs in every answer. */
function facts({ headers, payload }: Awaited<ReturnType<Ask>>): unknown {
  const { 'x-request-id': _, date: __, 'content-length': ___, ...rest } = headers;
  const { request_id: ____, ...problem } = payload === '' ? {} : JSON.parse(payload);
  return JSON.parse(JSON.stringify({ rest, problem }).replaceAll(/Diary|Nobody/g, 'NAME'));
}
