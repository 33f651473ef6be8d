import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type NoteFolder, openNoteFolder, paths } from '../testing/note-folder.ts';

describe('a note of exactly that name', () => {
  let folder: NoteFolder;

  beforeAll(async () => {
    folder = await openNoteFolder({
      'Meeting-Notes.md': 'Who came.',
      'Archive/meetings.md': `# Meeting notes of old\n\n${'Meeting notes, meeting notes. '.repeat(40)}`,
      'cafe.md': '---\ntitle: Café Lumière\naliases: [The Corner Place]\n---\nCoffee.',
      'Who.md': '---\ntitle: The Who\n---\nA band.',
      'Case/readme.md': 'lower',
      'Case/README.md': 'upper',
      'Dash/a b.md': 'space',
      'Dash/a-b.md': 'dash',
      'Dash/a_b.md': 'underscore',
      '🚀.md': 'Launch.',
      '🚀 plans.md': 'More launches.',
      'Deploying to production.md': 'Steps.',
      'log.md': 'Deploying, deploying to production, production deploying. To production! '.repeat(20),
    });
  });
  afterAll(() => folder.close());

  it.each([
    ['meeting notes', 'Meeting-Notes.md'],
    ['Meeting-Notes.md', 'Meeting-Notes.md'],
    ['"MEETING NOTES"', 'Meeting-Notes.md'],
    ['title:meeting-notes', 'Meeting-Notes.md'],
    ['cafe lumiere', 'cafe.md'],
    ['Cafe\u0301 Lumie\u0300re', 'cafe.md'],
    ['the corner place', 'cafe.md'],
    ['cafe', 'cafe.md'],
    ['the who', 'Who.md'],
    ['🚀', '🚀.md'],
  ])('comes first and is marked: %s', async (query, path) => {
    const { hits } = await ask(folder, query);
    expect(hits[0]!.row.path).toBe(path);
    expect(hits[0]!.exact).toBe(true);
  });

  it('is counted once', async () => {
    const { total, hits } = await ask(folder, 'meeting notes', { limit: 1 });
    expect([hits.length, total]).toEqual([1, 2]);
    expect((await ask(folder, '🚀')).total).toBe(2);
  });

  it('keeps names apart that differ in case, dash, blank or underscore only', async () => {
    expect([...paths(await ask(folder, 'readme'))].sort()).toEqual(['Case/README.md', 'Case/readme.md']);
    expect([...paths(await ask(folder, 'a-b'))].sort()).toEqual([
      'Dash/a b.md',
      'Dash/a-b.md',
      'Dash/a_b.md',
    ]);
    for (const name of ['a b', 'a-b', 'a_b']) {
      expect(paths(await ask(folder, name))[0]).toBe(`Dash/${name}.md`);
    }
  });

  it('puts a name that holds every word before a text that repeats them', async () => {
    const { hits } = await ask(folder, 'production deploying');
    expect(hits.map(({ row, exact }) => [row.path, exact])[0]).toEqual(['Deploying to production.md', false]);
  });

  it('is not on top of a page that it is no longer called', async () => {
    await folder.change({ 'Renamed.md': '---\ntitle: Old Title\n---\ntext' });
    await folder.change({ 'Renamed.md': '---\ntitle: New Title\n---\ntext changed' });
    expect((await ask(folder, 'old title')).hits.filter(({ exact }) => exact)).toEqual([]);
    expect((await ask(folder, 'new title')).hits[0]!.exact).toBe(true);
  });
});
