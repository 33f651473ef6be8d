import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GARDEN } from '../testing/garden.ts';
import { type Loose, openTestVault, type TestVault } from '../testing/opened.ts';

const MANY = Object.fromEntries(
  Array.from({ length: 120 }, (_, i) => [
    `Log/Entry ${String(i).padStart(3, '0')}.md`,
    `# Entry ${i}\n\n${'The quick brown fox jumps over the lazy dog. '.repeat(30)}\n\n## More ${i}\n\nAnother fox here.\n`,
  ]),
);

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault({ ...GARDEN, ...MANY });
});
afterAll(() => vault.close());

const query = (input: object) => vault.ok('query', input);
const paths = (answer: { hits: { path: string }[] }): string[] => answer.hits.map((hit) => hit.path);

describe('query', () => {
  it('answers hits with place, snippet, time and link', async () => {
    const answer = await query({ query: 'comfrey' });
    expect(answer.total).toBe(1);
    expect(answer.hits).toEqual([
      {
        path: 'Tomatoes.md',
        link: 'obsidian://open?vault=Garden&file=Tomatoes',
        heading: 'Feeding',
        line: 18,
        snippet: expect.stringContaining('comfrey'),
        modified: '2026-11-20T10:00:00Z',
      },
    ]);
  });

  it('shows the title where it differs from the file name', async () => {
    expect((await query({ query: 'Ada Byron' })).hits[0]).toMatchObject({
      path: 'People/Ada.md',
      title: 'Ada Byron',
    });
  });

  it('finds a word in the middle of a CJK sentence', async () => {
    expect(paths(await query({ query: '庭園' }))).toEqual(['日本語ノート.md']);
  });

  it.each([
    ['text', 'HEAVY clay', 'Beds/Bed 1.md'],
    ['regex', 'Black\\s+K\\w+', 'Tomatoes.md'],
  ])('answers %s with the lines that match', async (type, words, path) => {
    const { hits } = await query({ searches: [{ type, query: words }] });
    expect(hits[0].path).toBe(path);
    expect(hits[0].lines[0].line).toBeGreaterThan(1);
    expect(hits[0].line).toBe(hits[0].lines[0].line);
    expect(hits[0].line_count).toBe(hits[0].lines.length);
  });

  it('tells what is wrong with a regular expression', async () => {
    expect((await vault.fail('query', { searches: [{ type: 'regex', query: '(' }] })).code).toBe('bad_regex');
  });

  it('answers vec and hyde by words and says so', async () => {
    const answer = await query({ searches: [{ type: 'vec', query: 'comfrey' }] });
    expect(paths(answer)).toContain('Tomatoes.md');
    expect(answer.remarks.length).toBeGreaterThan(0);
    const fused = await query({
      query: 'comfrey',
      searches: [{ type: 'vec', query: 'comfrey' }],
      explain: true,
    });
    expect(fused.hits[0].found).toHaveLength(1);
    expect(fused.remarks.length).toBeGreaterThan(0);
  });

  it('gives scores and findings only when asked to explain', async () => {
    expect((await query({ query: 'comfrey' })).hits[0]).not.toHaveProperty('score');
    const [hit] = (await query({ query: 'comfrey', explain: true })).hits;
    expect(hit.found).toEqual([{ type: 'lex', query: 'comfrey', rank: 1, score: expect.any(Number) }]);
  });

  it.each([
    [{ folders: ['beds'] }, ['Beds/Bed 1.md', 'Beds/Bed 2.md']],
    [{ folders: 'Beds/' }, ['Beds/Bed 1.md', 'Beds/Bed 2.md']],
    [{ tags: ['plants'] }, ['Beds/Bed 2.md', 'Tomatoes.md']],
    [{ tags: ['#Plants', '-summer'] }, ['Beds/Bed 2.md']],
    [{ types: ['Bed', 'plant'] }, ['Beds/Bed 1.md', 'Tomatoes.md']],
    [{ where: { status: 'active' } }, ['Tomatoes.md']],
    [{ where: { size: { '<': 40 }, path: { contains: 'same' } } }, ['Others/Same.md', 'Twins/Same.md']],
    [{ where: { height: { '>': '1.5' } } }, ['Tomatoes.md']],
    [{ where: { 'frontmatter.size': 12 } }, ['Beds/Bed 1.md']],
  ])('filters by %j', async (filters, expected) => {
    const answer = await query({ query: '-zzzz', limit: 50, ...filters });
    expect(paths(answer).sort()).toEqual(expected);
  });

  it('applies filters before it takes the best', async () => {
    expect(paths(await query({ query: 'fox', folders: ['Log'], where: { name: 'Entry 077' } }))).toEqual([
      'Log/Entry 077.md',
    ]);
  });

  it('answers an unknown folder, tag or type with nothing and near names', async () => {
    const folder = await query({ query: 'soil', folders: ['Bedz'] });
    expect(folder.hits).toEqual([]);
    expect(folder.remarks.join()).toContain('"Beds"');
    expect((await query({ query: 'soil', tags: ['plant'] })).remarks.join()).toContain('plants/fruit');
    expect((await query({ query: 'soil', types: ['plnt'] })).remarks.join()).toContain('"plant"');
  });

  it('refuses a folder that leaves the vault', async () => {
    expect((await vault.fail('query', { query: 'x', folders: ['../..'] })).code).toBe('bad_path');
  });

  it('pages with a cursor and shows each note once', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const answer: Loose = await query({
        query: 'fox',
        limit: 50,
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect(answer.total).toBe(120);
      seen.push(...paths(answer));
      cursor = answer.cursor;
    } while (cursor !== undefined);
    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
  });

  it('keeps a default answer far below what a host cuts off', async () => {
    const { text } = await vault.call('query', { query: 'fox' });
    expect(Buffer.byteLength(text)).toBeLessThan(8_000);
  });

  it('gives passages: the best part of each note before a second one of any', async () => {
    const answer = await query({ query: 'fox', return: 'passages', limit: 5 });
    expect(answer).not.toHaveProperty('hits');
    expect(new Set(answer.passages.map((passage: { path: string }) => passage.path)).size).toBe(5);
    const total = answer.passages.reduce(
      (sum: number, passage: { text: string }) => sum + passage.text.length,
      0,
    );
    expect(total).toBeLessThanOrEqual(12_000);
    const [only] = (await query({ query: 'comfrey', return: 'passages' })).passages;
    expect(only).toMatchObject({ path: 'Tomatoes.md', heading: 'Feeding', line: expect.any(Number) });
    expect(only.text).toContain('comfrey');
  });

  it('gives as many passages as max_chars holds and a cursor for the rest', async () => {
    const first = await query({ query: 'fox', return: 'passages', limit: 5, max_chars: 1500 });
    const named = new Set(first.passages.map((passage: { path: string }) => passage.path));
    expect(named.size).toBeLessThan(5);
    const second = await query({
      query: 'fox',
      return: 'passages',
      limit: 5,
      max_chars: 1500,
      cursor: first.cursor,
    });
    expect(named.has(second.passages[0].path)).toBe(false);
  });

  it('suggests near names and words on a miss', async () => {
    const answer = await query({ query: 'title:Tomatous' });
    expect(answer.hits).toEqual([]);
    expect(answer.suggestions).toContain('Tomatoes');
  });

  it('names a next step where nothing near is known', async () => {
    const { text, structured } = await vault.call('query', { query: 'qqqqzzzzqqqq' });
    expect(structured).toMatchObject({ hits: [], suggestions: [], remarks: [] });
    expect(text).toMatch(/^No note was found\.\nTry other or fewer words/);
  });

  it('says when the filters alone left nothing, instead of suggesting other words', async () => {
    const answer = await query({ query: 'comfrey', folders: ['Beds'] });
    expect(answer).toMatchObject({
      hits: [],
      suggestions: [],
      remarks: ['Without the filters 1 note fits.'],
    });
    const field = await query({ query: 'comfrey', where: { stauts: 'active' } });
    expect(field.remarks).toEqual(['No note has the field "stauts".', 'Without the filters 1 note fits.']);
    const value = await query({ query: 'comfrey', where: { status: 'actve' } });
    expect(value.remarks[0]).toBe('Values of "status": "active", "resting".');
  });

  it('shows times to the minute, and a heading only where it says more than the title', async () => {
    const { text } = await vault.call('query', { query: 'comfrey' });
    expect(text).toContain('1. Tomatoes.md · § Feeding · line 18 · modified 2026-11-20 10:00\n');
    const top = (await vault.call('query', { query: 'blight' })).text;
    expect(top).toMatch(/^1\. Tomatoes\.md · line \d+ · /m);
  });

  it('leaves the lines around frontmatter out of a snippet', async () => {
    const { hits } = await query({ query: 'resting' });
    expect(hits[0].snippet).toContain('status: resting');
    expect(hits[0].snippet).not.toContain('---');
  });

  it('says why a note did not come up', async () => {
    const why = async (input: object) => (await query({ query: 'comfrey', ...input })).why.reason;
    expect(await why({ why: 'Compost' })).toContain('Nothing in it fits');
    expect(await why({ why: 'Tomatoes', types: ['bed'] })).toContain('"types"');
    expect(await why({ why: 'Nobody' })).toContain('No note answers');
    expect(await why({ query: 'comfrey -fox', why: 'Entry 100' })).toBe(
      'It is left out by -fox in the query.',
    );
    expect(await why({ query: 'fox tag:none', why: 'Entry 100' })).toContain('left out by tag:none');
    const ranked = await query({ query: 'fox', why: 'Entry 100', limit: 1 });
    expect(ranked.why.rank).toBeGreaterThan(1);
  });

  it('refuses what asks for nothing, and a slip', async () => {
    expect((await vault.fail('query', {})).next).toContain('list_notes');
    expect((await vault.fail('query', { query: 'x', where: { status: { equals: 1 } } })).code).toBe(
      'bad_filter',
    );
    expect((await vault.fail('query', { query: 'x', after: 'soon' })).code).toBe('bad_filter');
    expect((await vault.fail('query', { query: 'x', folder: 'Beds' })).message).toContain('"folders"');
  });

  it('judges a hit again by what is on disk now', async () => {
    await vault.folder.write({ 'Fresh.md': '# Fresh\n\nA wombat was here.\n' });
    await vault.opened.vault.reconcile();
    expect(paths(await query({ query: 'wombat' }))).toEqual(['Fresh.md']);
    await vault.folder.write(
      { 'Fresh.md': '# Fresh\n\nNo animal at all.\n' },
      new Date('2026-11-22T10:00:00Z'),
    );
    expect(paths(await query({ query: 'wombat' }))).toEqual([]);
    await rm(join(vault.folder.root, 'Fresh.md'));
    expect(paths(await query({ query: 'animal' }))).toEqual([]);
  });
});
