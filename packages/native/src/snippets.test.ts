import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NoteDocument, QueryNode, Snippet, SnippetOptions } from './index.ts';
import { note, useIndices } from './testing/notes.ts';

const indices = useIndices();

const word = (text: string): QueryNode => ({ kind: 'word', text });

async function cut(text: string | NoteDocument, query: QueryNode, options: Partial<SnippetOptions> = {}) {
  const document = typeof text === 'string' ? note(1, text) : text;
  const index = await indices.open([document, note(2, 'other words entirely')]);
  const { hits } = await index.search({
    query,
    view: null,
    limit: 1,
    snippets: { chars: 60, perNote: 1, ...options },
  });
  return hits[0]?.snippets ?? [];
}

const marked = ({ text, marks }: Snippet) =>
  Array.from({ length: marks.length / 2 }, (_, at) => text.slice(marks[2 * at], marks[2 * at + 1]));

describe('a snippet', () => {
  it('shows the last word of a long note when that is what matched', async () => {
    const text = `${'filler words of a long note\n'.repeat(8000)}and here is the needle`;
    const [snippet] = await cut(text, word('needle'));
    expect(snippet!.text.endsWith('here is the needle')).toBe(true);
    expect(marked(snippet!)).toEqual(['needle']);
    expect(snippet!.line).toBe(8001);
    expect(snippet!.end).toBe(text.length);
  });

  it('prefers the window with more of the query, and rarer words', async () => {
    const text = `one stone here\n${'x '.repeat(100)}\na stone by the river\n${'y '.repeat(100)}\nriver river river`;
    const [snippet] = await cut(text, { kind: 'bool', should: [word('stone'), word('river')] });
    expect(marked(snippet!)).toEqual(['stone', 'river']);
    expect(snippet!.text.startsWith('a stone by the river')).toBe(true);
    expect(snippet!.line).toBe(3);
  });

  it('shows the frontmatter of a note that has nothing else', async () => {
    const head = '---\nrating: 5\n---\n';
    const document = note(1, head, { title: 'Needle', bodyStart: head.length });
    expect((await cut(document, word('needle')))[0]?.text).toContain('rating: 5');
  });

  it('begins with a whole word, also where one that is cut stands right before the first mark', async () => {
    const text = `${'filling '.repeat(20)}[[Rain barrel automation#Log]] ${'and so on '.repeat(20)}`;
    const [snippet] = await cut(text, word('barrel'), { chars: 30 });
    expect(text.slice(0, snippet!.start)).toMatch(/\s$/);
    expect(marked(snippet!)).toEqual(['barrel']);
    const joined = await cut('# Delta-Revocation-List of certificates revoked', word('revocation'), {
      chars: 14,
    });
    expect(joined[0]!.text).toBe('Revocation');
  });

  it('is a slice of the file, with offsets and lines of the file', async () => {
    const head = '---\ntitle: 😀 x\n---\n';
    const text = `${head}# Heading\n\nLine with émoji 😀 and needle, more.\n`;
    const [snippet] = await cut(note(1, text, { bodyStart: head.length }), word('needle'));
    expect(text.slice(snippet!.start, snippet!.end)).toBe(snippet!.text);
    expect(snippet!.text).toContain('Line with émoji 😀 and needle, more.');
    expect(marked(snippet!)).toEqual(['needle']);
    expect(snippet!.line).toBe(6);
  });

  it('prefers the body to the frontmatter, which shows only what the body lacks', async () => {
    const head = '---\nabout: needle thread\n---\n';
    const document = note(1, `${head}the body says needle`, {
      bodyStart: head.length,
      properties: 'needle thread',
    });
    expect((await cut(document, word('needle')))[0]).toMatchObject({ line: 4, start: head.length });
    expect((await cut(document, word('thread')))[0]).toMatchObject({ line: 2 });
  });

  it('is how the body begins when nothing in the text matched', async () => {
    const head = '---\na: b\n---\n';
    const document = note(1, `${head}\n\nBody starts here and goes on for a good while longer`, {
      bodyStart: head.length,
      title: 'needle',
    });
    const [snippet] = await cut(document, word('needle'), { chars: 24 });
    expect(snippet).toEqual({
      text: 'Body starts here and',
      start: head.length + 2,
      end: head.length + 22,
      line: 6,
      marks: [],
      score: 0,
    });
    expect((await cut(note(1, '', { title: 'needle' }), word('needle')))[0]).toMatchObject({
      text: '',
      line: 1,
    });
  });

  it('marks word forms, prefixes, near words, phrases only whole, and CJK inside a sentence', async () => {
    const text = 'Running runs; the author of C++; real-time but real; 東京都に行く';
    const all = { chars: 200 };
    const marks = async (query: QueryNode) => marked((await cut(text, query, all))[0]!);
    expect(await marks(word('run'))).toEqual(['Running', 'runs']);
    expect(await marks({ kind: 'prefix', text: 'auth' })).toEqual(['author']);
    expect(await marks({ kind: 'fuzzy', text: 'auhtor', distance: 1 })).toEqual(['author']);
    expect(await marks(word('real-time'))).toEqual(['real', 'time']);
    expect(await marks({ kind: 'word', text: 'c++', fields: { body_exact: 1 } })).toEqual(['C++']);
    expect(await marks(word('京都'))).toEqual(['京都']);
    expect(await marks(word('東京都'))).toEqual(['東京都']);
    expect(await marks(word('行'))).toEqual(['行']);
    expect(await marks({ kind: 'bool', must: [word('runs')], not: [word('nothing')] })).toEqual([
      'Running',
      'runs',
    ]);
  });

  it('is steered by more words, which are not marked', async () => {
    const text = `needle in hay\n${'x '.repeat(100)}\nneedle and thread`;
    expect((await cut(text, word('needle')))[0]!.line).toBe(1);
    const [snippet] = await cut(text, word('needle'), { terms: 'threads' });
    expect(snippet!.line).toBe(3);
    expect(marked(snippet!)).toEqual(['needle']);
  });

  it('comes more than once a note, best first, without overlap', async () => {
    const text = `needle\n${'x '.repeat(60)}\nneedle thread\n${'y '.repeat(60)}\nneedle`;
    const query: QueryNode = { kind: 'bool', should: [word('needle'), word('thread')] };
    const snippets = await cut(text, query, { perNote: 5 });
    expect(snippets.map(({ line }) => line)).toEqual([3, 1, 5]);
    const ordered = snippets.toSorted((a, b) => a.start - b.start);
    for (const [at, { start }] of ordered.entries())
      if (at > 0) expect(start).toBeGreaterThanOrEqual(ordered[at - 1]!.end);
  });

  it('of any text is a slice within its bounds, never half a character', async () => {
    const texts = fc.array(
      fc.oneof(
        fc.constantFrom('needle', ' ', '\n', '😀', 'e\u0301', '👨‍👩‍👧‍👦', '東京', 'word '),
        fc.string({ unit: 'binary', maxLength: 10 }),
      ),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(texts, { minLength: 8, maxLength: 8 }),
        fc.integer({ min: 1, max: 80 }),
        async (parts, chars) => {
          const notes = parts.map((list, id) => note(id, list.join('').toWellFormed(), { title: 'needle' }));
          const index = await indices.open(notes);
          const { hits } = await index.search({
            query: word('needle'),
            view: null,
            limit: 8,
            snippets: { chars, perNote: 3 },
          });
          expect(hits).toHaveLength(8);
          for (const { id, snippets } of hits) {
            const { text } = notes[id]!;
            for (const snippet of snippets!) {
              expect(text.slice(snippet.start, snippet.end)).toBe(snippet.text);
              expect(snippet.text.length).toBeLessThanOrEqual(chars);
              expect(snippet.text.isWellFormed()).toBe(true);
              const firstMark = snippet.start + (snippet.marks[0] ?? 0);
              expect(snippet.line).toBe(text.slice(0, firstMark).split('\n').length);
              for (const mark of marked(snippet)) expect(mark.length).toBeGreaterThan(0);
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('starts at a word, also where only white space stands between', async () => {
    const [snippet] = await cut(`${'x'.repeat(500)} needle in hay`, word('needle'), { chars: 30 });
    expect(snippet!.text).toBe('needle in hay');
    const [inside] = await cut(`${'longword '.repeat(50)}needle ${'more '.repeat(50)}`, word('needle'));
    expect(inside!.text).toMatch(/^(?:longword )+needle(?: more)+$/);
  });

  it('does not cut a cluster that has room', async () => {
    const family = '👨‍👩‍👧‍👦';
    const [snippet] = await cut(`needle${family.repeat(30)}`, word('needle'), { chars: 40 });
    const clusters = [...new Intl.Segmenter().segment(snippet!.text)].map(({ segment }) => segment);
    expect(clusters.slice(6).every((cluster) => cluster === family)).toBe(true);
    expect(clusters.length).toBeGreaterThan(7);
  });
});
