import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAll, parsePathRule } from '@grove/vault';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MeaningVault, openMeaningVault } from '../testing/meaning-vault.ts';

const NOTES = {
  'Kitchen/Sourdough.md':
    '# Sourdough\n\nFeed the starter with rye flour every morning; bake the loaf at 240 degrees.',
  'Garden/Tomatoes.md':
    '# Tomatoes\n\nWater the seedlings at the root, never on the leaves, or blight comes.',
  'Work/Invoices.md':
    '# Invoices\n\nSend them at the end of the month, with the hours of each project, the number of the order, the account to pay to and the day until which it is to be paid; keep a copy of each in the folder of the year, where the accountant looks for them in spring.\n\n## Late payers\n\nRemind customers who have not paid after two weeks, politely.',
  'Health/Sleep.md': '# Sleep\n\nNo screens after nine. A dark, cool room helps to doze off sooner.',
  'Travel/Lisbon.md': '# Lisbon\n\nThe tram climbs to the castle; try the custard tarts in Belém.',
};

describe('search by meaning', () => {
  let folder: MeaningVault;
  beforeAll(async () => {
    folder = await openMeaningVault(NOTES);
    expect(await folder.embedded()).toBe(true);
  });
  afterAll(() => folder.close());

  const first = async (type: 'vec' | 'hyde' | 'like' | 'lex', query: string) =>
    (await folder.ask([{ type, query }])).hits[0]?.row.path;

  it.each([
    ['something nice from the oven', 'Kitchen/Sourdough.md'],
    ['a client owes me money', 'Work/Invoices.md'],
    ['insomnia', 'Health/Sleep.md'],
    ['vacation in Portugal', 'Travel/Lisbon.md'],
    ['growing vegetables', 'Garden/Tomatoes.md'],
  ])('finds by vec for %j a note that holds none of the words', async (query, path) => {
    expect((await folder.ask([{ type: 'lex', query }])).hits[0]?.row.path).not.toBe(path);
    expect(await first('vec', query)).toBe(path);
  });

  it('puts what is equally near in the order of the paths, on every page', async () => {
    // The later path is known first, and has the lower number.
    for (const place of ['Zoo', 'Mill', 'Attic'])
      await folder.write({ [`${place}/Chess.md`]: 'The bishop is worth three pawns.' });
    expect(await folder.embedded()).toBe(true);
    const page = async (offset: number) => {
      const { hits } = await folder.ask([{ type: 'vec', query: 'a board game' }], { limit: 1, offset });
      return hits[0]?.row.path;
    };
    expect([await page(0), await page(1), await page(2)]).toEqual([
      'Attic/Chess.md',
      'Mill/Chess.md',
      'Zoo/Chess.md',
    ]);
    for (const place of ['Zoo', 'Mill', 'Attic']) await folder.remove(`${place}/Chess.md`);
  });

  it('takes the text of hyde for an answer', async () => {
    expect(await first('hyde', 'After fourteen days we wrote to the debtor and asked for the sum.')).toBe(
      'Work/Invoices.md',
    );
  });

  it('finds the neighbours of a note, and not the note itself', async () => {
    const { hits } = await folder.ask([{ type: 'like', query: 'Sourdough' }]);
    expect(hits.map(({ row }) => row.path)).not.toContain('Kitchen/Sourdough.md');
    expect(hits).toHaveLength(4);
  });

  it('shows the part of the note that is nearest', async () => {
    const [hit] = (await folder.ask([{ type: 'vec', query: 'a client owes me money' }])).hits;
    expect(hit!.snippets[0]!.text).toMatch(/^## Late payers/);
    expect(hit!.snippets[0]!.line).toBe(5);
  });

  it('fuses words and meaning: each finds what the other does not', async () => {
    const answer = await folder.ask([
      { type: 'lex', query: 'tram' },
      { type: 'vec', query: 'how do I make bread' },
    ]);
    expect(
      answer.hits
        .slice(0, 2)
        .map(({ row }) => row.path)
        .sort(),
    ).toEqual(['Kitchen/Sourdough.md', 'Travel/Lisbon.md']);
    expect(answer.remarks).toEqual([]);
  });

  it('ranks within a View as a vault of its notes alone would', async () => {
    const rules = { ...allowAll, readPaths: [parsePathRule('Work'), parsePathRule('Health')] };
    const kept = Object.entries(NOTES).filter(([path]) => /^(?:Work|Health)\//.test(path));
    const alone = await openMeaningVault(Object.fromEntries(kept));
    try {
      await alone.embedded();
      for (const type of ['vec', 'hyde', 'like'] as const)
        for (const query of ['how do I make bread', 'Invoices', 'Tomatoes']) {
          const searches = [{ type, query } as const, { type: 'lex', query } as const];
          const seen = await folder.ask(searches, { view: folder.vault.view(rules) });
          const wanted = await alone.ask(searches);
          expect(seen.hits.map(({ row, score }) => [row.path, score])).toEqual(
            wanted.hits.map(({ row, score }) => [row.path, score]),
          );
          expect(seen.remarks).toEqual(wanted.remarks);
        }
    } finally {
      await alone.close();
    }
  });
});

describe('the vectors of a vault', () => {
  let folder: MeaningVault;
  beforeAll(async () => {
    folder = await openMeaningVault(NOTES);
    await folder.embedded();
  });
  afterAll(() => folder.close());

  const done = () => folder.search.health().meaning!.embedded;

  it('are not made again by a restart, a move or a change of another paragraph', async () => {
    expect(done()).toBeGreaterThan(0);
    folder = await folder.reopen();
    await folder.embedded();
    expect(done()).toBe(0);
    await folder.remove('Travel/Lisbon.md');
    await folder.write({ 'Archive/Lisbon.md': NOTES['Travel/Lisbon.md'] });
    await folder.embedded();
    expect(done()).toBe(0);
    await folder.write({ 'Work/Invoices.md': `${NOTES['Work/Invoices.md']}\n\n## Taxes\n\nDue in May.\n` });
    await folder.embedded();
    expect(done()).toBe(1);
  });

  it('follow the notes: what is gone is not found, what is new is', async () => {
    await folder.remove('Health/Sleep.md');
    await folder.write({ 'Health/Running.md': 'Jog slowly for half an hour, three times a week.' });
    await folder.embedded();
    const { hits } = await folder.ask([{ type: 'vec', query: 'endurance exercise' }]);
    expect(hits[0]!.row.path).toBe('Health/Running.md');
    expect(hits.map(({ row }) => row.path)).not.toContain('Health/Sleep.md');
  });

  it.each([
    ['deleted', (dir: string) => rmSync(dir, { recursive: true })],
    [
      'damaged',
      (dir: string) => {
        for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true }))
          if (entry.isFile()) writeFileSync(join(entry.parentPath, entry.name), 'rubbish');
      },
    ],
  ])('are made anew where their folder was %s, and nothing else is', async (_, harm) => {
    folder = await folder.reopen(() => harm(folder.dir));
    expect(await folder.embedded()).toBe(true);
    expect(done()).toBeGreaterThan(4);
    expect(folder.vault.health().parsed).toBe(0);
    expect((await folder.ask([{ type: 'vec', query: 'bread' }])).hits[0]!.row.path).toBe(
      'Kitchen/Sourdough.md',
    );
  });
});
