import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openLocalEmbedder, vectorStores } from '@grove/embeddings';
import { allowAll, parsePathRule } from '@grove/vault';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Embedding } from '../embedding/contract.ts';
import { type Loose, openTestVault, STDIO, type TestVault } from '../testing/opened.ts';

const LONG = Array.from(
  { length: 12 },
  (_, at) =>
    `## Part ${at}\n\nMinutes of the meeting about the budget, item ${at}, with figures and a vote.\n`,
).join('\n');

const NOTES = {
  'Kitchen/Sourdough.md': '# Sourdough\n\nFeed the starter with rye flour; bake the loaf at 240 degrees.\n',
  'Work/Invoices.md':
    '# Invoices\n\nSend them at the end of the month, with the hours of each project, the number of the order, the account to pay to and the day until which it is to be paid; keep a copy of each in the folder of the year, where the accountant looks for them in spring.\n\n## Late payers\n\nRemind customers who have not paid after two weeks, politely.\n',
  'Work/Minutes.md': `# Minutes\n\n${LONG}\n## Aside\n\nThe cat slept on the radiator all afternoon.\n`,
  'Health/Sleep.md': '---\ntags: [health]\n---\n# Sleep\n\nA dark, cool room helps to doze off sooner.\n',
  'Travel/Lisbon.md': '---\ntags: [trip]\n---\n# Lisbon\n\nThe tram climbs to the castle.\n',
};

let vault: TestVault;
let embedding: Embedding;
beforeAll(async () => {
  const embedder = await openLocalEmbedder({ threads: 1 });
  vault = await openTestVault(NOTES, {
    writes: true,
    embedding: async () => {
      const stores = vectorStores(vault?.folder.dataDir ?? '/dev/null');
      embedding = {
        embedder,
        openStore: stores.open,
        storeNote: stores.note,
        embeds: 'always',
        patienceMs: 60_000,
      };
      return embedding;
    },
  });
  expect(await embedded()).toBe(true);
});
afterAll(async () => {
  await vault.close();
  await embedding.embedder.close();
});

const embedded = () => vault.opened.search.embedded([...vault.opened.vault.ownerView().ids()]);
const query = (input: object, scope = vault.scope) => vault.ok('query', input, scope);
const paths = (answer: Loose): string[] => answer.hits.map((hit: Loose) => hit.path);
const within = (...folders: string[]) =>
  vault.opened.scope(STDIO, { ...allowAll, readPaths: folders.map(parsePathRule) });

describe('query with an embedding model', () => {
  it('finds by a query alone what holds none of its words, and says so when explained', async () => {
    const answer = await query({ query: 'a client owes me money', explain: true });
    expect(answer.hits[0]).toMatchObject({ path: 'Work/Invoices.md', heading: 'Late payers', line: 5 });
    expect(answer.hits[0].found).toContainEqual(
      expect.objectContaining({ type: 'vec', rank: 1, query: 'a client owes me money' }),
    );
    expect(answer.remarks).toEqual([]);
    expect(answer.total).toBeUndefined();
  });

  it('keeps to what the query excludes, filters and requires', async () => {
    expect(paths(await query({ query: 'holiday journey -tram' }))).not.toContain('Travel/Lisbon.md');
    expect(paths(await query({ query: 'rest tag:health' }))).toEqual(['Health/Sleep.md']);
    expect(paths(await query({ query: 'money "two weeks"' }))).toEqual(['Work/Invoices.md']);
    expect(paths(await query({ query: 'tag:trip' }))).toEqual(['Travel/Lisbon.md']);
    expect(paths(await query({ query: 'bread', folders: ['Health'] }))).toEqual(['Health/Sleep.md']);
  });

  it('puts a note of exactly that name first', async () => {
    expect(paths(await query({ query: 'minutes' }))[0]).toBe('Work/Minutes.md');
  });

  it('counts vec once, however often the same is asked', async () => {
    const searches = [{ type: 'vec', query: 'insomnia' }];
    const { hits } = await query({ searches: [...searches, ...searches], explain: true });
    expect(hits[0].path).toBe('Health/Sleep.md');
    expect(hits[0].found).toHaveLength(1);
  });

  it('shows in passages the part that is nearest in meaning', async () => {
    const { passages } = await query({
      searches: [{ type: 'vec', query: 'the cat naps on a warm heater' }],
      return: 'passages',
      limit: 1,
    });
    expect(passages[0]).toMatchObject({ path: 'Work/Minutes.md', heading: 'Aside' });
    const mixed = await query({
      query: 'figures: the cat naps on a warm heater',
      return: 'passages',
      limit: 1,
    });
    expect(mixed.passages.map(({ heading }: Loose) => heading)).toContain('Aside');
  });

  it('gives every note once over its pages, in the order of one long page', async () => {
    const whole = paths(await query({ query: 'the end of the month', limit: 50 }));
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const answer: Loose = await query({ query: 'the end of the month', limit: 2, cursor });
      paged.push(...paths(answer));
      cursor = answer.cursor;
    } while (cursor !== undefined);
    expect(paged).toEqual(whole);
    expect(whole).toHaveLength(5);
  });

  it.each([
    ['emoji alone', '🌧️🥖'],
    ['100 KB', 'the rye flour of the starter '.repeat(3_600)],
    ['one long word', 'x'.repeat(100_000)],
    ['control characters and half a surrogate pair', '\u0001\u0000 flour \ud83c'],
    ['special tokens of the model', '[SEP] [CLS] [MASK] flour'],
    ['a lone dash', '-'],
    ['a lone quote', '"'],
    ['another script', 'パンの焼き方'],
  ])('answers %s by words and by meaning', async (_, text) => {
    const searches = (['vec', 'hyde', 'like'] as const).map((type) => ({ type, query: text }));
    expect((await query({ query: text })).remarks).not.toContainEqual(expect.stringContaining('by words:'));
    const { hits } = await query({ searches, limit: 50 });
    expect(hits.length).toBeGreaterThan(0);
    expect(new Set(paths({ hits })).size).toBe(hits.length);
  });

  it('tells why a note stands where it does, by words and by meaning', async () => {
    const { why } = await query({ query: 'a client owes me money', why: 'Sourdough' });
    expect(why.reason).toMatch(/^It fits and has rank \d\. lex: no match; vec: rank \d\.$/);
    const left = async (input: object) => (await query({ why: 'Sleep', ...input })).why.reason;
    expect(await left({ query: 'rest -cool' })).toBe('It is left out by -cool in the query.');
    // By itself no note has what is required: it must not be passed over for that.
    expect(await left({ query: 'title:Lisbon' })).toBe('It is left out by title:Lisbon in the query.');
    expect(await left({ query: 'path:Work rest' })).toBe('It is left out by path:Work in the query.');
    expect(await left({ query: 'cool "polar night"' })).toMatch(/^It fits and has rank \d\./);
    expect(await left({ searches: [{ type: 'like', query: 'Sleep' }] })).toBe(
      'It is left out by like, which compares others with it.',
    );
    const mixed = { query: 'path:Travel rest', searches: [{ type: 'hyde', query: 'A dark room.' }] };
    expect(await left(mixed)).toMatch(
      /lex: left out by path:Travel in the query; vec: left out by .*; hyde: rank 1\.$/,
    );
    const hidden = await query({ query: 'money', why: 'Sourdough' }, within('Work'));
    const missing = await query({ query: 'money', why: 'No such note' }, within('Work'));
    expect(hidden.why.reason).toBe(missing.why.reason);
  });

  it('answers within a View as a vault of its notes alone would', async () => {
    const alone = await openTestVault(
      Object.fromEntries(Object.entries(NOTES).filter(([path]) => /^(?:Work|Health)\//.test(path))),
      { writes: true, embedding: async () => embedding },
    );
    try {
      await alone.opened.search.embedded([...alone.opened.vault.ownerView().ids()]);
      const rules = { ...allowAll, denyPaths: [parsePathRule('no such folder')] };
      const all = alone.opened.scope(STDIO, rules);
      const calls = [
        ['query', { query: 'how do I make bread', explain: true }],
        ['query', { query: 'a pet taking a nap', return: 'passages' }],
        ['query', { searches: [{ type: 'hyde', query: 'The loaf is baked.' }], explain: true }],
        ['query', { searches: [{ type: 'like', query: 'Invoices' }], explain: true }],
        ['query', { searches: [{ type: 'like', query: 'Sourdough' }], explain: true }],
        ['query', { query: 'bread', why: 'Sourdough' }],
        ['vault_status', {}],
      ] as const;
      for (const [name, input] of calls) {
        const seen = await vault.call(name, input, within('Work', 'Health'));
        const wanted = await alone.call(name, input, all);
        expect(seen.text).toBe(wanted.text);
      }
    } finally {
      await alone.close();
    }
  });

  it('finds a note by meaning as soon as a write that waits for it is answered', async () => {
    const write = { path: 'Pets/Rex.md', content: 'The puppy chews shoes.', wait: 'embedded' };
    expect((await vault.ok('write_note', write)).remarks).toEqual([]);
    expect(paths(await query({ searches: [{ type: 'vec', query: 'a young dog' }] }))[0]).toBe('Pets/Rex.md');
  });

  it('finds within two seconds what was written, and what was changed outside', async () => {
    const first = async (text: string) => paths(await query({ searches: [{ type: 'vec', query: text }] }))[0];
    await vault.ok('write_note', { path: 'Music/Cello.md', content: 'Practise scales with a slow bow.' });
    await expect.poll(() => first('playing a string instrument'), { timeout: 20_000 }).toBe('Music/Cello.md');
    await vault.folder.write({ 'Sea/Tide.md': 'Ebb at six, flood at noon.' });
    await expect.poll(() => first('when is the water high'), { timeout: 20_000 }).toBe('Sea/Tide.md');
  });

  it('tells in health the model and what is embedded, and a View only what is its own', async () => {
    await embedded();
    const { embedding: owner } = await vault.ok('vault_status');
    expect(owner).toMatchObject({ configured: true, model: 'bge-small-en-v1.5-int8', store: 'lancedb' });
    expect(owner).toMatchObject({ done: owner.total, pending: 0, failed: 0 });
    expect(owner).not.toHaveProperty('host');
    expect((await vault.ok('vault_status', {}, within('Work'))).embedding).toEqual({
      configured: true,
      total: 2,
      done: 2,
      pending: 0,
      failed: 0,
      note: 'Search by meaning reaches all 2 notes.',
    });
  });

  it('deletes the vectors of former models once all notes are embedded', async () => {
    const folder = join(vault.opened.stateDir, 'index', 'vectors');
    expect(readdirSync(folder)).toHaveLength(1);
  });
});
