import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GARDEN } from '../testing/garden.ts';
import { callChecked, type Loose, openTestVault, operationOf, type TestVault } from '../testing/opened.ts';
import { answerCall, presentError } from './answer.ts';

let vault: TestVault;
let crowded: TestVault;
beforeAll(async () => {
  vault = await openTestVault(GARDEN, { publicUrl: 'https://notes.example' });
  const long = 'very long name of a note '.repeat(6).trim();
  const tags = Array.from({ length: 40 }, (_, i) => `area/of/interest-${i}`);
  crowded = await openTestVault(
    Object.fromEntries(
      Array.from({ length: 400 }, (_, i) => [
        `Folder ${i % 90}/${long} ${i}.md`,
        `---\ntags: ${JSON.stringify(tags)}\nabout: "${'property text '.repeat(30)}"\n---\n# ${'Title '.repeat(30)}${i}\n\n${`fox ${long} [[${long} 0]]\n`.repeat(12)}`,
      ]),
    ),
  );
});
afterAll(async () => {
  await vault.close();
  await crowded.close();
});

describe('an error as text', () => {
  it('names the lines where a text stands too often', () => {
    const text = presentError({ code: 'edit_ambiguous', message: 'M', next: 'N', lines: [3, 12] });
    expect(text).toBe('Error edit_ambiguous: M\nLines: 3, 12\nNext: N');
  });

  it('tells of each refused operation what is wrong and what to do', () => {
    const operations = [{ op: 2, code: 'note_not_found', message: 'M.', next: 'N.', path: 'A.md' }];
    const text = presentError({ code: 'batch_refused', message: 'B', next: 'X', operations });
    expect(text).toBe('Error batch_refused: B\nOperations:\n- 2, note_not_found: M. Next: N.\nNext: X');
  });
});

describe('every answer', () => {
  it.each([
    ['query', { query: 'soil' }],
    ['query', { query: 'soil', return: 'passages', explain: true, why: 'Tomatoes' }],
    ['query', { searches: [{ type: 'regex', query: '(' }] }],
    ['query', { qery: 'soil' }],
    ['query', { query: 'soil', cursor: 'x' }],
    ['get', { path: 'Tomatoes', include: ['links', 'backlinks'] }],
    ['get', { path: 'today' }],
    ['get', { path: 'Same' }],
    ['get', { path: 'Tomatoes', section: 'Tasks' }],
    ['get', { path: 'Nobody' }],
    ['get', {}],
    ['multi_get', { paths: ['Tomatoes', 'Nobody', 'Same'] }],
    ['multi_get', { paths: { a: 1 } }],
    ['list_notes', { fields: ['tags', 'status'] }],
    ['list_notes', { of: 'tags' }],
    ['list_notes', { sort: 'x' }],
    ['vault_status', { path: 'Broken' }],
    ['vault_status', { mode: 'poetry' }],
  ])('of %s to %j fits its output schema, errors included', async (name, input) => {
    const { text, structured, error } = await callChecked(operationOf(name), vault.scope, input);
    expect(text.length).toBeGreaterThan(0);
    expect(structured.error).toBe(error ?? undefined);
    if (error !== null) {
      expect(text).toContain(`Error ${error.code}: ${error.message}`);
      expect(text).toContain(`Next: ${error.next}`);
    }
  });

  it.each([
    ['query', { query: 'fox', limit: 50 }],
    ['query', { query: 'fox', limit: 50, return: 'passages', max_chars: 24_000 }],
    ['query', { searches: [{ type: 'text', query: 'fox' }], limit: 50 }],
    ['multi_get', { paths: '**' }],
    ['list_notes', { limit: 200 }],
    ['list_notes', { limit: 200, fields: ['tags', 'about', 'title'] }],
    ['list_notes', { of: 'folders' }],
  ])('of %s to %j on a crowded vault keeps the limit and goes on with a cursor', async (name, input) => {
    const answer = await crowded.ok(name, input);
    expect(answer.cursor).toBeTypeOf('string');
    expect((await crowded.ok(name, { ...input, cursor: answer.cursor })).remarks).toBeDefined();
  });

  it('of get with everything included keeps the limit', async () => {
    const { notes } = await crowded.ok('list_notes', { sort: 'path', limit: 1 });
    const answer = await crowded.ok('get', {
      path: notes[0].path,
      include: ['links', 'backlinks', 'mentions', 'history'],
    });
    expect(answer.backlinks_total).toBeGreaterThan(answer.backlinks.length);
  });

  it('names the https address of every note, which get takes back', async () => {
    const [hit] = (await vault.ok('query', { query: 'clay' })).hits;
    expect(hit.url).toBe('https://notes.example/v1/notes/Beds/Bed%201.md');
    expect(await vault.ok('get', { path: hit.url })).toMatchObject({ path: 'Beds/Bed 1.md', url: hit.url });
    const { text } = await vault.call('query', { query: 'clay' });
    expect(text).toContain(hit.url);
    expect(text).toContain(hit.link);
  });

  it('hides what went wrong inside and reports it', async () => {
    const broken = { ...vault.scope, search: { ...vault.scope.search, search: null as Loose } };
    const causes: unknown[] = [];
    const answer = await answerCall(operationOf('query'), broken, { query: 'soil' }, (cause) => {
      causes.push(cause);
      return null;
    });
    expect(answer.error?.code).toBe('internal');
    expect(answer.text).not.toContain('search');
    expect(causes[0]).toBeInstanceOf(TypeError);
  });
});
