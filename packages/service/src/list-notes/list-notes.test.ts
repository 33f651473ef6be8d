import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GARDEN } from '../testing/garden.ts';
import { type Loose, openTestVault, type TestVault } from '../testing/opened.ts';

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault({
    ...GARDEN,
    'Deep/A/B/c.md': 'c\n',
    ...Object.fromEntries(
      Array.from({ length: 260 }, (_, i) => [`Log/${String(i).padStart(3, '0')}.md`, `---\nn: ${i}\n---\n`]),
    ),
  });
  await vault.folder.write({ 'Newest.md': '# The newest\n' }, new Date('2026-11-29T10:00:00Z'));
  await vault.folder.write({ 'Oldest.md': 'old\n' }, new Date('2020-01-01T10:00:00Z'));
  await vault.opened.vault.reconcile();
});
afterAll(() => vault.close());

const list = (input: object): Promise<Loose> => vault.ok('list_notes', input);
const paths = (answer: Loose): string[] => answer.notes.map((note: Loose) => note.path);
const groups = (answer: Loose): [string, number][] =>
  answer.groups.map(({ name, notes }: Loose) => [name, notes]);

describe('list_notes', () => {
  it('lists the newest first, with totals, one line each', async () => {
    const answer = await list({});
    expect(answer.notes).toHaveLength(50);
    expect(answer.total).toBe(Object.keys(GARDEN).filter((path) => path.endsWith('.md')).length + 263);
    expect(answer.notes[0]).toEqual({
      path: 'Newest.md',
      title: 'The newest',
      link: 'obsidian://open?vault=Garden&file=Newest',
      modified: '2026-11-29T10:00:00Z',
      size: 13,
    });
    const { text } = await vault.call('list_notes', {});
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(50);
    expect(text).toContain('obsidian://open?vault=Garden&file=');
  });

  it('pages to the end without losing or doubling a note', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const answer: Loose = await list({ limit: 90, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...paths(answer));
      cursor = answer.cursor;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.at(-1)).toBe('Oldest.md');
    expect(seen).toHaveLength((await list({})).total);
  });

  it.each([
    ['path', ['Beds/Bed 1.md', 'Beds/Bed 2.md']],
    ['-path', ['Beds/Bed 2.md', 'Beds/Bed 1.md']],
    ['-title', ['Beds/Bed 2.md', 'Beds/Bed 1.md']],
    ['size', ['Beds/Bed 1.md', 'Beds/Bed 2.md']],
    ['-modified', ['Beds/Bed 1.md', 'Beds/Bed 2.md']],
  ])('sorts by %s', async (sort, expected) =>
    expect(paths(await list({ folder: 'Beds', sort }))).toEqual(expected),
  );

  it.each([
    [{ folder: 'deep' }, ['Deep/A/B/c.md']],
    [{ folder: 'Deep', depth: 2 }, []],
    [{ folder: 'Deep', depth: 3 }, ['Deep/A/B/c.md']],
    [{ glob: 'Beds/*' }, ['Beds/Bed 1.md', 'Beds/Bed 2.md']],
    [{ glob: 'beds' }, ['Beds/Bed 1.md', 'Beds/Bed 2.md']],
    [{ glob: 'Bed?2.md' }, ['Beds/Bed 2.md']],
    [{ match: '^bed \\d$' }, ['Beds/Bed 1.md', 'Beds/Bed 2.md']],
    [{ tags: 'plants' }, ['Beds/Bed 2.md', 'Tomatoes.md']],
    [{ types: 'bed' }, ['Beds/Bed 1.md']],
    [{ before: '2021' }, ['Oldest.md']],
    [{ after: '2d' }, ['Newest.md']],
    [{ where: { n: { '>=': 258 } } }, ['Log/258.md', 'Log/259.md']],
    [{ where: { n: [3, '4'] } }, ['Log/003.md', 'Log/004.md']],
    [{ where: { sown: { exists: true } } }, ['Tomatoes.md']],
    [{ where: { status: { '!=': 'resting' } }, folder: 'Beds' }, ['Beds/Bed 2.md']],
    [{ where: { status: null }, folder: 'Beds' }, ['Beds/Bed 2.md']],
    [{ where: { STATUS: 'Active' } }, ['Tomatoes.md']],
    [{ where: { tags: 'plants', height: { '>': 1, '<=': 1.8 } } }, ['Tomatoes.md']],
    [{ where: { folder: 'beds', title: { contains: '2' } } }, ['Beds/Bed 2.md']],
    [{ where: '{"name": ["Compost", "C#"]}' }, ['C#.md', 'Compost.md']],
    [{ where: { sown: { '<': '2026-04' } } }, ['Tomatoes.md']],
    [{ where: { aliases: { contains: 'home' } } }, ['Start here.md']],
    [{ where: { created: { '<': '2020-06-01' } } }, ['Oldest.md']],
  ])('narrows by %j', async (input, expected) => {
    const answer = await list({ sort: 'path', ...input });
    expect(paths(answer)).toEqual(expected);
    expect(answer.total).toBe(expected.length);
  });

  it('shows fields where a note has them', async () => {
    const [note] = (
      await list({ glob: 'Tomatoes.md', fields: ['status', 'height', 'tags', 'created', 'nothing'] })
    ).notes;
    expect(note.fields).toEqual({
      status: 'active',
      height: 1.8,
      tags: ['plants/fruit', 'summer'],
      created: expect.stringContaining('2026'),
    });
    expect((await vault.call('list_notes', { glob: 'Tomatoes.md', fields: 'status' })).text).toContain(
      'status active',
    );
  });

  it('lists folders with the notes in them and below', async () => {
    const answer = await list({ of: 'folders' });
    expect(groups(answer)).toContainEqual(['Deep', 1]);
    expect(groups(answer)).toContainEqual(['Deep/A/B', 1]);
    expect(groups(answer)).toContainEqual(['Beds', 2]);
    expect(groups(await list({ of: 'folders', folder: 'Deep', depth: 1 }))).toEqual([
      ['Deep', 1],
      ['Deep/A', 1],
    ]);
    expect(groups(await list({ of: 'folders', min_count: 100 }))).toEqual([['Log', 260]]);
  });

  it('lists tags with those above nested ones, by count', async () => {
    expect(groups(await list({ of: 'tags' }))).toEqual([
      ['plants', 2],
      ['meta', 1],
      ['plants/fruit', 1],
      ['plants/root', 1],
      ['soil', 1],
      ['summer', 1],
    ]);
    expect(groups(await list({ of: 'tags', match: 'root|soil', sort: '-path' }))).toEqual([
      ['soil', 1],
      ['plants/root', 1],
    ]);
  });

  it('lists types, of the notes that the filters leave', async () => {
    expect(groups(await list({ of: 'types', sort: 'path' }))).toEqual([
      ['bed', 1],
      ['map', 1],
      ['plant', 1],
    ]);
    expect(groups(await list({ of: 'types', folder: 'Beds' }))).toEqual([['bed', 1]]);
  });

  it('answers an unknown folder with nothing and near names', async () => {
    const answer = await list({ folder: 'Bedds' });
    expect(answer.total).toBe(0);
    expect(answer.remarks.join()).toContain('"Beds"');
  });

  it('names the field that no note has, and the values of one that never has the value', async () => {
    const list = async (where: object) => (await vault.ok('list_notes', { where })).remarks;
    expect(await list({ colour: 'red' })).toEqual(['No note has the field "colour".']);
    expect((await list({ type: 'shrub' })).join()).toContain('Values of "type": ');
    expect(await list({ type: 'shrub' })).not.toEqual(await list({ type: 'bed' }));
    expect(await list({ colour: null })).toEqual([]);
  });

  it('says when only the dates left nothing', async () => {
    const late = await vault.ok('list_notes', { types: ['bed'], after: '2027-01-01' });
    expect(late).toMatchObject({
      total: 0,
      remarks: [expect.stringMatching(/^Without the dates .* 1 note\.$/)],
    });
    expect(
      (await vault.ok('list_notes', { types: ['shrub'], after: '2027-01-01' })).remarks.join(),
    ).not.toContain('dates');
  });

  it('says once why a regular expression is refused', async () => {
    const { message } = await vault.fail('list_notes', { match: '(' });
    expect(message).toMatch(/^The regular expression is not valid: unclosed group[^.]*\.$/);
  });

  it.each([
    [{ sort: 'modifed' }, 'did you mean "modified"'],
    [{ sort: 'count' }, 'modified'],
    [{ of: 'tags', sort: 'size' }, 'count, path'],
    [{ of: 'everything' }, 'notes, folders, tags, types'],
    [{ limit: 500 }, '1 to 200'],
    [{ where: { n: { '=>': 1 } } }, '=, !='],
    [{ where: { n: {} } }, 'no comparison'],
    [{ where: { modified: { '<': 'soon' } } }, 'no date'],
    [{ match: '(' }, 'regular expression'],
  ])('teaches what fits instead of %j', async (input, words) => {
    expect((await vault.fail('list_notes', input)).message).toContain(words);
  });

  it('returns at once from a pattern that would hang a backtracking engine', async () => {
    expect((await list({ match: '(a+)+$' })).total).toBeGreaterThanOrEqual(0);
    expect((await list({ glob: `${'*a'.repeat(30)}b` })).total).toBe(0);
  });
});
