import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';

// Quadratic time on these texts would be hours, and the runner's own time limit ends the test.
const LONG = 9_000_000;
const SLASHES = `a${'/'.repeat(LONG)}b`;
const DIGITS = `${'1'.repeat(400_000)}x`;

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault({
    'Digits.md': `---\nstatus: "${DIGITS}"\ntags: [fox]\n---\nfox\n`,
    'Plain.md': '---\nstatus: open\n---\nfox\n',
  });
});
afterAll(() => vault.close());

describe('texts of megabytes', () => {
  it.each([
    ['list_notes', { folder: SLASHES }],
    ['list_notes', { tags: [SLASHES] }],
    ['list_notes', { glob: `{${','.repeat(LONG)}` }],
    ['list_notes', { match: 'a'.repeat(LONG) }],
    ['list_notes', { sort: 'x'.repeat(LONG) }],
    ['list_notes', { fields: [`${'f.'.repeat(LONG / 2)}`] }],
    ['list_notes', { after: '1'.repeat(LONG) }],
    ['query', { query: 'fox', folders: [SLASHES] }],
    ['query', { query: 'fox', why: SLASHES }],
    ['get', { path: SLASHES }],
    ['get', { path: 'Plain', section: '#'.repeat(LONG) }],
    ['multi_get', { paths: [`{${','.repeat(LONG)}`] }],
    ['multi_get', { paths: SLASHES }],
    ['vault_status', { path: SLASHES }],
  ])('name nothing: %s %#', async (operation, input) => {
    expect((await vault.fail(operation, input)).code).toBe('bad_input');
  });

  it.each([
    { ['k'.repeat(LONG)]: 1 },
    { status: 'K'.repeat(LONG) },
    { status: { contains: 'K'.repeat(LONG) } },
    { status: { in: ['K'.repeat(LONG)] } },
    { status: Array.from({ length: 501 }, (_, at) => at) },
    { a: { in: Array(200).fill(1) }, b: { in: Array(200).fill(1) }, c: { in: Array(200).fill(1) } },
    Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`f${at}`, 1])),
  ])('are no comparisons of where: %#', async (where) => {
    expect((await vault.fail('list_notes', { where })).code).toBe('bad_filter');
  });

  it('are searched for by their start, and that is said', async () => {
    const query = 'fox '.repeat(LONG / 4);
    const answer = await vault.ok('query', { query });
    expect(answer.total).toBe(2);
    expect(answer.remarks.join(' ')).toContain('its first 20,000 characters');
  });

  it.each(['lex', 'vec', 'hyde', 'text', 'like'])('as a search by %s', async (type) => {
    const answer = await vault.ok('query', { searches: [{ type, query: 'y'.repeat(LONG) }] });
    expect(answer.total).toBe(0);
  });

  it('a regular expression is refused rather than cut', async () => {
    const searches = [{ type: 'regex', query: 'y'.repeat(LONG) }];
    expect((await vault.fail('query', { searches })).code).toBe('bad_regex');
  });
});

describe('long values in notes', () => {
  it('a tag of many levels is listed with the first of them', async () => {
    const deep = await openTestVault({
      'Slashes.md': `---\ntags: ["a${'/'.repeat(50_000)}b"]\n---\nfox\n`,
      'Levels.md': `---\ntags: [${'a/'.repeat(25_000)}c]\n---\nfox\n`,
      'Plain.md': '---\ntags: [x/y//z]\n---\nfox\n',
    });
    try {
      const { total, groups } = await deep.ok('list_notes', { of: 'tags', sort: 'path', limit: 200 });
      expect(total).toBeLessThan(40);
      const names = groups.map(({ name }: { readonly name: string }) => name);
      expect(names).toEqual(expect.arrayContaining(['a', 'a/a', 'x', 'x/y', 'x/y//z']));
      expect((await deep.ok('list_notes', { tags: ['a'] })).total).toBe(2);
      expect((await deep.ok('query', { query: 'tag:a fox' })).total).toBe(2);
      expect((await deep.ok('vault_status')).tags).toBe(total);
    } finally {
      await deep.close();
    }
  });

  it('compare with numbers in one look', async () => {
    expect((await vault.ok('list_notes', { where: { status: { '>': 5 } } })).total).toBe(1);
    expect((await vault.ok('list_notes', { where: { status: 7 } })).total).toBe(0);
  });
});

it('a list of many paths may be one long text', async () => {
  const paths = Array.from({ length: 40 }, (_, at) => `${'Folder/'.repeat(30)}Note ${at}.md`).join(',');
  expect(paths.length).toBeGreaterThan(4_096);
  expect((await vault.ok('multi_get', { paths })).total).toBe(40);
});

it('choices of a glob inside choices, and braces that close nothing', async () => {
  const { total } = await vault.ok('list_notes', { glob: '{Plain,Digits}.md' });
  expect(total).toBe(2);
  for (const glob of ['{1..100000}{1..100000}*', '{*,**}'.repeat(5), '**/'.repeat(330), '*a'.repeat(500)])
    expect((await vault.ok('list_notes', { glob })).total).toBeLessThanOrEqual(2);
  const error = await vault.fail('list_notes', { glob: '{*,**}'.repeat(170) });
  expect(error).toMatchObject({ code: 'bad_filter', reason: 'it has too many choices' });
});
