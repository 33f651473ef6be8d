import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NoteFolder, openNoteFolder, paths, request } from './testing/note-folder.ts';

describe('one answer from several searches', () => {
  let folder: NoteFolder;

  beforeAll(async () => {
    const notes: Record<string, string> = {
      'heron.md': `# Heron\n\nGrey heron, heron.\n\n${'Filler text. '.repeat(60)}\n\nThe heron eats fish.\n\n${'More filler. '.repeat(60)}\n\nAt dusk the heron flies home.`,
      'otter.md': '# Otter\n\nThe otter eats fish, as a heron does.',
      'fish.md': '# Fish\n\nFish swim. fish_id = 4',
    };
    for (let at = 0; at < 30; at++)
      notes[`log/${String(at).padStart(2, '0')}.md`] = `Day ${at}: a gull was seen.`;
    folder = await openNoteFolder(notes);
  });
  afterAll(() => folder.close());

  const search = (...args: Parameters<typeof request>) =>
    folder.search.search(folder.vault.ownerView(), request(...args));

  it('is ordered by reciprocal rank and says which search found a note', async () => {
    const answer = await search([
      { type: 'lex', query: 'otter eats' },
      { type: 'text', query: 'eats fish' },
      { type: 'regex', query: 'fish_id' },
    ]);
    expect(answer.total).toBe(3);
    const otter = answer.hits.find(({ row }) => row.path === 'otter.md')!;
    expect(otter.found.map(({ search, type, rank }) => [search, type, rank])).toEqual([
      [0, 'lex', 1],
      [1, 'text', expect.any(Number)],
    ]);
    const fish = answer.hits.find(({ row }) => row.path === 'fish.md')!;
    expect(fish.lines.map(({ text }) => text)).toEqual(['Fish swim. fish_id = 4']);
    expect(paths(answer)[0]).toBe('otter.md');
  });

  it.each(['heron fish', 'otter', '"eats fish"', 'hern', 'a gull'])(
    'shows for %j the same snippets on the first page as on later ones',
    async (query) => {
      const searches = [{ type: 'lex', query } as const];
      const first = await search(searches, { limit: 3 });
      const second = await search(searches, { limit: 2, offset: 1 });
      expect(first.hits.length).toBeGreaterThan(0);
      expect(first.hits.slice(1).map(({ row, snippets }) => [row.path, snippets])).toEqual(
        second.hits.map(({ row, snippets }) => [row.path, snippets]),
      );
    },
  );

  it('answers vec, hyde and like by words and says so', async () => {
    const lex = await search([{ type: 'lex', query: 'heron fish' }]);
    const both = await search([
      { type: 'lex', query: 'heron fish' },
      { type: 'vec', query: 'heron fish' },
    ]);
    expect(paths(both)).toEqual(paths(lex));
    expect(both.total).toBe(lex.total);
    expect(both.hits[0]!.found.map(({ search }) => search)).toEqual([0, 1]);
    expect(both.remarks.join()).toContain('vec');
    const hyde = await search([{ type: 'hyde', query: 'A heron -eats "fish' }]);
    expect([...paths(hyde)].sort()).toEqual(['fish.md', 'heron.md', 'otter.md']);
  });

  it('pages fit together and the total stays', async () => {
    const whole = await search([{ type: 'lex', query: 'gull' }], { limit: 30 });
    expect(whole.total).toBe(30);
    const pages = await Promise.all(
      [0, 12, 24].map((offset) => search([{ type: 'lex', query: 'gull' }], { limit: 12, offset })),
    );
    expect(pages.flatMap(paths)).toEqual(paths(whole));
    const beyond = await search([{ type: 'lex', query: 'gull' }], { offset: 1000 });
    expect([beyond.hits, beyond.total, beyond.suggestions]).toEqual([[], 30, []]);
  });

  it('gives several snippets of a note when asked, and none for 0', async () => {
    const [hit] = (await search([{ type: 'lex', query: 'heron' }], { limit: 1, snippets: 3 })).hits;
    expect(hit!.snippets.length).toBe(3);
    for (const { text } of hit!.snippets) expect(text.length).toBeLessThanOrEqual(240);
    expect((await search([{ type: 'lex', query: 'heron' }], { snippets: 0 })).hits[0]!.snippets).toEqual([]);
  });

  it('an intent chooses the snippet and never the members', async () => {
    const plain = await search([{ type: 'lex', query: 'heron' }]);
    const steered = await search([{ type: 'lex', query: 'heron' }], { intent: 'where it flies at dusk' });
    expect(steered.total).toBe(plain.total);
    expect([...paths(steered)].sort()).toEqual([...paths(plain)].sort());
    expect(steered.hits.find(({ row }) => row.path === 'heron.md')!.snippets[0]!.text).toContain('dusk');
  });

  it('an intent breaks a tie', async () => {
    const answer = await search([{ type: 'lex', query: 'gull' }], { intent: 'day 17', limit: 1 });
    expect(paths(answer)).toEqual(['log/17.md']);
  });

  it('no search at all is an error with a code', async () => {
    await expect(search([])).rejects.toMatchObject({ code: 'bad_input' });
  });
});

describe('neighbours of a note', () => {
  let folder: NoteFolder;

  beforeAll(async () => {
    folder = await openNoteFolder({
      'sourdough.md':
        '# Sourdough\n\nFlour, water and a lively starter; the dough proofs overnight in the fridge.',
      'starter.md': '# Feeding the starter\n\nA lively starter wants flour and water each day.',
      'rye.md': '# Rye bread\n\nRye flour makes a sticky dough that proofs slowly.',
      'taxes.md': '# Taxes\n\nForms are due in May.',
    });
  });
  afterAll(() => folder.close());

  const like = (query: string) =>
    folder.search.search(folder.vault.ownerView(), request([{ type: 'like', query }]));

  it('are those that share its telling words, without the note itself', async () => {
    const answer = await like('Sourdough');
    expect([...paths(answer)].sort()).toEqual(['rye.md', 'starter.md']);
    expect(answer.remarks.join()).toContain('like');
  });

  it('are found by words that stand anywhere in a long note', async () => {
    await folder.change({
      'long.md': `# Long\n\n${'Nothing to compare here at all. '.repeat(1_500)}\n\nSourdough, starter.\n`,
    });
    expect(paths(await like('long'))).toContain('starter.md');
    await folder.remove('long.md');
  });

  it('of a text are those that share its words', async () => {
    expect(paths(await like('when are tax forms due - "in May'))[0]).toBe('taxes.md');
  });
});
