import { describe, expect, it } from 'vitest';
import { type FieldWeights, IdSet, type LexicalIndex, type QueryNode } from './index.ts';
import { note, useIndices } from './testing/notes.ts';

const indices = useIndices();

const search = async (index: LexicalIndex, query: QueryNode, more = {}) =>
  index.search({ query, view: null, limit: 100, ...more });
const find = async (index: LexicalIndex, query: QueryNode) =>
  (await search(index, query)).hits.map(({ id }) => id).sort((a, b) => a - b);
const word = (text: string, fields?: FieldWeights): QueryNode => ({
  kind: 'word',
  text,
  ...(fields && { fields }),
});

describe('words', () => {
  it('are found in every form of their script', async () => {
    const index = await indices.open([
      note(1, 'She was running along the river.'),
      note(2, 'Мы читали книги.'),
      note(3, '昨日、東京都庁に行きました。'),
      note(4, 'Un café au lait'),
      note(5, 'C++ and C# but not plain'),
      note(6, 'plain C only'),
      note(7, 'ภาษาไทยง่าย'),
    ]);
    expect(await find(index, word('runs'))).toEqual([1]);
    expect(await find(index, word('книга'))).toEqual([2]);
    expect(await find(index, word('книгами'))).toEqual([2]);
    expect(await find(index, word('都庁'))).toEqual([3]);
    expect(await find(index, word('庁'))).toEqual([3]);
    expect(await find(index, word('行'))).toEqual([3]);
    expect(await find(index, word('京庁'))).toEqual([]);
    expect(await find(index, word('cafe'))).toEqual([4]);
    expect(await find(index, word('ไทย'))).toEqual([7]);
    expect(await find(index, word('C++', { body_exact: 1 }))).toEqual([5]);
    expect(await find(index, word('c', { body_exact: 1 }))).toEqual([6]);
    expect(await find(index, word('c'))).toEqual([5, 6]);
  });

  it('with punctuation inside are found in one piece', async () => {
    const index = await indices.open([
      note(1, 'a real-time system at 5 GB/s, version 1.0.21, don’t'),
      note(2, 'time is real; s of GB; 21 and 0 and 1; t and don'),
    ]);
    for (const text of ['real-time', 'GB/s', '1.0.21', "don't", 'real_time'])
      expect(await find(index, word(text)), text).toEqual([1]);
  });

  it('are looked for in the fields asked for', async () => {
    const index = await indices.open([
      note(1, 'body', { title: 'alpha', aliases: ['beta one', 'two'], headings: ['gamma'] }),
      note(2, 'front alpha', { tags: ['ai/ml', 'delta'], properties: 'epsilon', bodyStart: 6 }),
    ]);
    expect(await find(index, word('alpha', { title: 1 }))).toEqual([1]);
    expect(await find(index, word('alpha', { body: 1 }))).toEqual([2]);
    expect(await find(index, word('front'))).toEqual([]);
    expect(await find(index, word('beta'))).toEqual([1]);
    expect(await find(index, word('gammas', { headings: 1 }))).toEqual([1]);
    expect(await find(index, word('gammas', { headings_exact: 1 }))).toEqual([]);
    expect(await find(index, word('ml', { tags: 1 }))).toEqual([2]);
    expect(await find(index, word('epsilon', { properties: 1 }))).toEqual([2]);
    expect(await find(index, word('0002', { path: 1 }))).toEqual([2]);
    expect(await find(index, { kind: 'phrase', text: 'one two', fields: { aliases: 1 } })).toEqual([]);
  });

  it('of any bytes have an answer', async () => {
    const index = await indices.open([note(1, 'a \ud83d b')]);
    for (const text of ['', '\0', '\ud83d', 'a\udc00', '😀', '"', '\\', '\u2028', 'x'.repeat(100_000)])
      for (const kind of ['word', 'phrase', 'prefix', 'fuzzy'] as const)
        expect(await find(index, { kind, text, distance: 1 } as QueryNode)).toEqual(
          text.startsWith('a') ? [1] : [],
        );
    expect((await index.scan({ view: null, words: ['\ud83d'] })).total).toBe(1);
  });

  it('longer than a term are found by their first 64 bytes', async () => {
    const index = await indices.open([note(1, `${'long'.repeat(75_000)} \0 \ud800 end`)]);
    expect(await find(index, word('long'.repeat(30)))).toEqual([1]);
    expect(await find(index, word('end'))).toEqual([1]);
  });
});

describe('phrases', () => {
  it('keep their order and their gaps', async () => {
    const index = await indices.open([
      note(1, 'quick brown fox'),
      note(2, 'brown quick fox'),
      note(3, 'quick red brown fox quick brown'),
      note(4, '東京 tower 京都'),
    ]);
    const phrase = (text: string, slop = 0): QueryNode => ({ kind: 'phrase', text, slop });
    expect(await find(index, phrase('quick brown'))).toEqual([1, 3]);
    expect(await find(index, phrase('quick brown fox'))).toEqual([1]);
    expect(await find(index, phrase('quick fox', 1))).toEqual([1, 2]);
    expect(await find(index, phrase('quick fox', 2))).toEqual([1, 2, 3]);
    expect(await find(index, phrase('東京 tower'))).toEqual([4]);
    expect(await find(index, phrase('京 tower'))).toEqual([4]);
    expect(await find(index, phrase('tower 京'))).toEqual([4]);
    expect(await find(index, phrase('tower 都'))).toEqual([]);
    expect(await find(index, phrase('fox'))).toEqual([1, 2, 3]);
  });
});

describe('prefixes and near words', () => {
  it('are found unstemmed', async () => {
    const index = await indices.open([
      note(1, 'authentication'),
      note(2, 'authors write'),
      note(3, 'autumn'),
      note(4, 'the quick author'),
    ]);
    expect(await find(index, { kind: 'prefix', text: 'auth' })).toEqual([1, 2, 4]);
    expect(await find(index, { kind: 'prefix', text: 'quick au' })).toEqual([4]);
    expect(await find(index, { kind: 'prefix', text: 'zz' })).toEqual([]);
    expect(await find(index, { kind: 'fuzzy', text: 'autumm', distance: 1 })).toEqual([3]);
    expect(await find(index, { kind: 'fuzzy', text: 'auhtor', distance: 1 })).toEqual([4]);
    expect(await find(index, { kind: 'fuzzy', text: 'auhtor', distance: 2 })).toEqual([2, 4]);
    const bad = { kind: 'fuzzy', text: 'a', distance: 9 } as unknown as QueryNode;
    await expect(find(index, bad)).rejects.toMatchObject({ code: 'bad_argument' });
  });

  it('expand to words of the View, nearest and most frequent first', async () => {
    const index = await indices.open([
      note(1, 'stone'),
      note(2, 'stone store'),
      note(3, 'stove stores', { title: 'store' }),
      note(4, 'phone'),
    ]);
    const view = IdSet.of(Uint32Array.of(1, 2, 3));
    expect(await index.expand({ match: 'fuzzy', text: 'stome', distance: 2, view })).toEqual([
      { term: 'stone', documents: 2, distance: 1 },
      { term: 'store', documents: 2, distance: 1 },
      { term: 'stove', documents: 1, distance: 1 },
      { term: 'stores', documents: 1, distance: 2 },
    ]);
    expect(await index.expand({ match: 'prefix', text: 'stor', view, limit: 1 })).toEqual([
      { term: 'store', documents: 2, distance: 0 },
    ]);
    expect(await index.documentFrequencies(['stone', 'phone'], 'body', view)).toEqual(Uint32Array.of(2, 0));
  });
});

describe('bool', () => {
  it('combines', async () => {
    const index = await indices.open([note(1, 'a b'), note(2, 'b c'), note(3, 'c d'), note(4, 'e')]);
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((text) => word(text, { body: 1 })) as [
      QueryNode,
      QueryNode,
      QueryNode,
      QueryNode,
    ];
    const bool = (parts: object): QueryNode => ({ kind: 'bool', ...parts });
    expect(await find(index, bool({ should: [a, c] }))).toEqual([1, 2, 3]);
    expect(await find(index, bool({ must: [b], should: [a] }))).toEqual([1, 2]);
    expect(await find(index, bool({ must: [b, c] }))).toEqual([2]);
    expect(await find(index, bool({ must: [b], should: [a, d], minimumShould: 1 }))).toEqual([1]);
    expect(await find(index, bool({ should: [a, b, c], minimumShould: 2 }))).toEqual([1, 2]);
    expect(await find(index, bool({ should: [b, c], not: [a] }))).toEqual([2, 3]);
    expect(await find(index, bool({ not: [b] }))).toEqual([3, 4]);
    expect(await find(index, bool({ not: [word('--')] }))).toEqual([1, 2, 3, 4]);
    expect(await find(index, bool({}))).toEqual([]);
    expect(await find(index, { kind: 'all' })).toEqual([1, 2, 3, 4]);
  });

  it('sums the scores of its parts and multiplies them by boosts', async () => {
    const index = await indices.open([note(1, 'a b'), note(2, 'b'), note(3, 'x')]);
    const score = async (query: QueryNode) => (await search(index, query)).hits[0]?.score ?? 0;
    const [a, b] = [word('a', { body: 1 }), word('b', { body: 1 })];
    const sum = (await score(a)) + (await score({ kind: 'bool', must: [b], should: [a] })) - (await score(a));
    expect(await score({ kind: 'bool', should: [a, b] })).toBeCloseTo(sum, 12);
    expect(await score({ ...a, boost: 3 })).toBeCloseTo(3 * (await score(a)), 12);
    expect(await score({ kind: 'bool', should: [a], boost: 2 })).toBeCloseTo(2 * (await score(a)), 12);
  });
});

describe('ranking', () => {
  it('is BM25: rarer words and shorter notes first', async () => {
    const index = await indices.open([
      note(1, 'rare common filler filler filler filler'),
      note(2, 'rare common'),
      note(3, 'common common'),
      note(4, 'common'),
    ]);
    const query: QueryNode = { kind: 'bool', should: [word('rare'), word('common')] };
    expect((await search(index, query)).hits.map(({ id }) => id)).toEqual([2, 1, 3, 4]);
    // k1 1.2, b 0.75; 4 notes, 11 words, "rare" in 2 of them, a note of 2 words.
    const idf = Math.log(1 + (4 - 2 + 0.5) / (2 + 0.5));
    const expected = (idf * 2.2) / (1 + 1.2 * (0.25 + (0.75 * 2) / (11 / 4)));
    expect((await search(index, word('rare', { body: 1 }))).hits[0]?.score).toBeCloseTo(expected, 12);
  });

  it('combines the fields of a word by dis-max', async () => {
    const index = await indices.open([
      note(1, 'stone', { title: 'stone' }),
      note(2, 'moss', { title: 'moss' }),
    ]);
    const score = async (fields: FieldWeights, tieBreaker?: number) =>
      (await search(index, word('stone', fields), tieBreaker === undefined ? {} : { tieBreaker })).hits[0]!
        .score;
    const [title, body] = [await score({ title: 3 }), await score({ body: 1 })];
    expect(await score({ title: 3, body: 1 })).toBeCloseTo(title + 0.3 * body, 12);
    expect(await score({ title: 3, body: 1 }, 0)).toBeCloseTo(title, 12);
    expect(await score({ title: 3, body: 1 }, 1)).toBeCloseTo(title + body, 12);
  });

  it('breaks ties by path and pages without gaps', async () => {
    const notes = Array.from({ length: 30 }, (_, id) =>
      note(id, 'same text', { path: `${(id * 7) % 30}`.padStart(2, '0') }),
    );
    const index = await indices.open(notes.slice(0, 11));
    await index.add(notes.slice(11));
    await index.commit();
    const ordered = notes.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(({ id }) => id);
    for (const query of [word('same'), { kind: 'all' } as const]) {
      const pages = [];
      for (const offset of [0, 7, 14, 21, 28, 35])
        pages.push(await search(index, query, { limit: 7, offset }));
      expect(pages.map(({ total }) => total)).toEqual(Array(6).fill(30));
      expect(pages.flatMap(({ hits }) => hits.map(({ id }) => id))).toEqual(ordered);
    }
  });

  it('refuses requests that make no sense', async () => {
    const index = await indices.open([note(1, 'a')]);
    const bad = { code: 'bad_argument' };
    await expect(search(index, word('a', { nope: 1 } as FieldWeights))).rejects.toMatchObject(bad);
    await expect(search(index, { kind: 'nope' } as unknown as QueryNode)).rejects.toMatchObject(bad);
    await expect(search(index, word('a'), { limit: -1 })).rejects.toMatchObject(bad);
    await expect(index.scan({ view: null })).rejects.toMatchObject(bad);
    await expect(index.documentFrequencies(['a'], 'nope' as 'body', null)).rejects.toMatchObject(bad);
  });
});
