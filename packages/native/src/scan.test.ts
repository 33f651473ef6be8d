import { describe, expect, it } from 'vitest';
import { IdSet } from './index.ts';
import { note, useIndices } from './testing/notes.ts';

const indices = useIndices();

describe('scan', () => {
  it('finds substrings of every word, ignoring case, line by line', async () => {
    const index = await indices.open([
      note(1, 'first Überraschung\nsecond line\r\nthird: ÜBER-needle and needle', { path: 'b.md' }),
      note(2, 'needle without the other', { path: 'a.md' }),
      note(3, 'überall\nNEEDLES', { path: 'a/z.md' }),
    ]);
    expect(await index.scan({ view: null, words: ['über', 'needle'] })).toEqual({
      total: 2,
      truncated: false,
      hits: [
        {
          id: 3,
          lineCount: 2,
          lines: [
            { line: 1, text: 'überall', marks: [0, 4] },
            { line: 2, text: 'NEEDLES', marks: [0, 6] },
          ],
        },
        {
          id: 1,
          lineCount: 2,
          lines: [
            { line: 1, text: 'first Überraschung', marks: [6, 10] },
            { line: 3, text: 'third: ÜBER-needle and needle', marks: [7, 11, 12, 18, 23, 29] },
          ],
        },
      ],
    });
  });

  it('takes words literally and finds them across punctuation and line ends', async () => {
    const index = await indices.open([note(1, 'a.b(c)*\n[[x]]'), note(2, 'axb(c)*')]);
    const ids = async (...words: string[]) =>
      (await index.scan({ view: null, words })).hits.map(({ id }) => id);
    expect(await ids('A.B(c)*')).toEqual([1]);
    expect(await ids(')*\n[[')).toEqual([1]);
    expect(await ids('(c)')).toEqual([1, 2]);
    expect(await ids('', 'x')).toEqual([1, 2]);
  });

  it('matches a regex over the whole text, anchored at lines', async () => {
    const index = await indices.open([note(1, 'alpha\nbeta 12\ngamma 3\n'), note(2, 'beta')]);
    const scan = async (regex: string, more = {}) => (await index.scan({ view: null, regex, ...more })).hits;
    expect(await scan('^\\w+ \\d+$')).toEqual([
      {
        id: 1,
        lineCount: 2,
        lines: [
          { line: 2, text: 'beta 12', marks: [0, 7] },
          { line: 3, text: 'gamma 3', marks: [0, 7] },
        ],
      },
    ]);
    expect(await scan('ALPHA')).toEqual([]);
    expect(await scan('ALPHA', { caseInsensitive: true })).toHaveLength(1);
    expect(await scan('alpha\\nbeta')).toMatchObject([
      { lines: [{ line: 1, text: 'alpha', marks: [0, 5] }] },
    ]);
    expect(await scan('beta', { words: ['gamma'] })).toHaveLength(1);
    expect(await scan('^$')).toMatchObject([
      { id: 1, lineCount: 1, lines: [{ line: 4, text: '', marks: [] }] },
    ]);
  });

  it('stays within a View and a filter', async () => {
    const index = await indices.open(Array.from({ length: 200 }, (_, id) => note(id, 'needle')));
    const view = IdSet.of(Uint32Array.of(3, 50, 199, 500));
    const filter = IdSet.of(Uint32Array.of(50, 199, 7));
    const scan = { words: ['needle'] };
    expect((await index.scan({ ...scan, view })).hits.map(({ id }) => id)).toEqual([3, 50, 199]);
    expect((await index.scan({ ...scan, view, filter })).hits.map(({ id }) => id)).toEqual([50, 199]);
    expect((await index.scan({ ...scan, view: null, filter })).total).toBe(3);
  });

  it('gives exact totals, pages by path and as many lines as asked for', async () => {
    const notes = Array.from({ length: 120 }, (_, id) =>
      note(id, 'needle\n'.repeat(id + 1), { path: `${String(119 - id).padStart(3, '0')}.md` }),
    );
    const index = await indices.open(notes);
    let after: string | undefined;
    const seen: number[] = [];
    for (let page = 0; page < 3; page++) {
      const answer = await index.scan({
        view: null,
        words: ['needle'],
        maxNotes: 50,
        linesPerNote: 2,
        ...(after !== undefined && { after }),
      });
      expect(answer.total).toBe(120);
      expect(answer.truncated).toBe(page < 2);
      for (const { id, lineCount, lines } of answer.hits) {
        expect(lineCount).toBe(id + 1);
        expect(lines).toHaveLength(Math.min(2, id + 1));
        seen.push(id);
      }
      after = notes[seen.at(-1)!]!.path;
    }
    expect(seen).toEqual(notes.map(({ id }) => id).reverse());
  });

  it('counts lines without giving them', async () => {
    const notes = Array.from({ length: 150 }, (_, id) => note(id, 'a needle\nhay\n'.repeat(id % 5)));
    const index = await indices.open(notes);
    const scan = { view: null, words: ['needle'], maxNotes: 200 };
    const counted = await index.scan({ ...scan, linesPerNote: 0 });
    const given = await index.scan({ ...scan, linesPerNote: 10 });
    expect(counted.total).toBe(120);
    expect(counted.hits).toEqual(given.hits.map((hit) => ({ ...hit, lines: [] })));
  });

  it('cuts long lines around the match, at characters', async () => {
    const line = `${'😀'.repeat(50_000)}needle${'é'.repeat(50_000)}`;
    const index = await indices.open([note(1, line)]);
    const [hit] = (await index.scan({ view: null, words: ['needle'] })).hits;
    const { text, marks } = hit!.lines[0]!;
    expect(text.length).toBeLessThanOrEqual(300);
    expect(text.isWellFormed()).toBe(true);
    expect(text.slice(marks[0], marks[1])).toBe('needle');
  });

  it('refuses a bad regex with reason and position, and one that grows too large', async () => {
    const index = await indices.open([note(1, 'a')]);
    const scan = (regex: string) => index.scan({ view: null, regex });
    await expect(scan('é(')).rejects.toMatchObject({
      code: 'bad_regex',
      position: 1,
      message: expect.stringContaining('unclosed group'),
    });
    await expect(scan('(?=a)')).rejects.toMatchObject({ code: 'bad_regex' });
    await expect(scan('((a{1000}){1000}){1000}')).rejects.toMatchObject({ code: 'bad_regex' });
    await expect(scan('a'.repeat(20_000))).rejects.toMatchObject({ code: 'bad_regex' });
  });

  it('returns for patterns that hang other engines', async () => {
    const index = await indices.open([note(1, `${'a'.repeat(100_000)}!`)]);
    const answer = await index.scan({ view: null, regex: '^(a+)+$|(a|aa)+$|(.*)*x' });
    expect(answer.total).toBe(0);
  });
});
