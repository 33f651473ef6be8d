import { temporaryFolder } from '@grove/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LexicalEngine, LexicalIndex, LexicalResult, NoteDocument, QueryNode } from '../engine/port.ts';

/** What every engine behind the port must do; an engine's own test calls it. */
export function describeLexicalEngine(name: string, engine: LexicalEngine): void {
  describe(name, () => {
    let dir: string;
    let index: LexicalIndex;

    beforeEach(async () => {
      dir = temporaryFolder('engine');
      index = await engine.open(dir);
    });

    afterEach(async () => {
      await index.close();
    });

    function search(query: QueryNode, ids: readonly number[], limit = 10): Promise<LexicalResult> {
      const view = engine.setOf(Uint32Array.from(ids));
      return index.search({ query, view, filter: null, limit, snippets: null });
    }

    async function fill(...documents: readonly NoteDocument[]): Promise<void> {
      await index.add(documents);
      await index.commit('filled');
    }

    it('finds what was committed, and not before', async () => {
      await index.add([note(1, 'a heron by the lake')]);
      expect(index.pending).toBe(1);
      expect((await search({ kind: 'word', text: 'heron' }, [1])).total).toBe(0);
      await index.commit('one');
      expect(index.pending).toBe(0);
      expect((await search({ kind: 'word', text: 'heron' }, [1])).hits.map(({ id }) => id)).toEqual([1]);
    });

    it('replaces a document by its id and forgets a removed one', async () => {
      await fill(note(1, 'heron'), note(2, 'heron'));
      await index.add([note(1, 'otter')]);
      await index.remove([2]);
      await index.commit('changed');
      expect((await search({ kind: 'word', text: 'heron' }, [1, 2])).total).toBe(0);
      expect((await search({ kind: 'word', text: 'otter' }, [1, 2])).total).toBe(1);
      expect(index.documentCount).toBe(1);
    });

    it('keeps payload and documents over a restart', async () => {
      await fill(note(1, 'heron'));
      await index.close();
      index = await engine.open(dir);
      expect([index.payload, index.documentCount]).toEqual(['filled', 1]);
      expect(await index.text(1)).toBe('heron');
      expect(await index.text(2)).toBeNull();
      expect(await index.damagedFiles()).toEqual([]);
    });

    it('gives parts of texts by UTF-16 offsets, and null for a note that is not there', async () => {
      const text = 'Bücher 🌧️ am Teich.';
      await fill(note(1, text), note(2, 'otter'));
      const places = [
        { id: 2, start: 0, end: 3 },
        { id: 1, start: 7, end: 13 },
        { id: 9, start: 0, end: 3 },
        { id: 1, start: 11, end: 9_999 },
        { id: 1, start: 9_998, end: 9_999 },
      ];
      expect(await index.parts(places)).toEqual(['ott', text.slice(7, 13), null, text.slice(11), '']);
      expect(await index.parts([])).toEqual([]);
    });

    it('shows and counts only the notes of the View, with scores of the View alone', async () => {
      await fill(note(1, 'heron lake'), note(2, 'heron'), note(3, 'otter lake'), note(4, 'heron heron'));
      const some = await search({ kind: 'word', text: 'lake' }, [1, 3]);
      expect(some.total).toBe(2);
      const alone = await engine.open(temporaryFolder('engine'));
      try {
        await alone.add([note(1, 'heron lake'), note(3, 'otter lake')]);
        await alone.commit('alone');
        const view = engine.setOf(Uint32Array.of(1, 3));
        const query: QueryNode = { kind: 'word', text: 'lake' };
        expect(await alone.search({ query, view, filter: null, limit: 10, snippets: null })).toEqual(some);
      } finally {
        await alone.close();
      }
    });

    it('restricts hits by the filter and leaves scores as they are', async () => {
      await fill(note(1, 'heron lake'), note(2, 'heron'), note(3, 'otter'));
      const query: QueryNode = { kind: 'word', text: 'heron' };
      const all = await search(query, [1, 2, 3]);
      const view = engine.setOf(Uint32Array.of(1, 2, 3));
      const filter = engine.setOf(Uint32Array.of(2));
      const filtered = await index.search({ query, view, filter, limit: 10, snippets: null });
      expect(filtered).toEqual({ total: 1, hits: all.hits.filter(({ id }) => id === 2) });
    });

    it('combines must, should and not', async () => {
      await fill(note(1, 'heron lake'), note(2, 'heron reed'), note(3, 'lake reed'));
      const ids = [1, 2, 3];
      const word = (text: string): QueryNode => ({ kind: 'word', text });
      const found = async (query: QueryNode) => (await search(query, ids)).hits.map(({ id }) => id).sort();
      expect(await found({ kind: 'bool', must: [word('heron')], should: [word('reed')] })).toEqual([1, 2]);
      expect(await found({ kind: 'bool', should: [word('heron'), word('reed')] })).toEqual([1, 2, 3]);
      expect(await found({ kind: 'bool', should: [word('lake')], not: [word('reed')] })).toEqual([1]);
      expect(await found({ kind: 'bool', must: [{ kind: 'all' }], not: [word('heron')] })).toEqual([3]);
      expect(await found({ kind: 'bool', must: [], should: [word('otter')], minimumShould: 1 })).toEqual([]);
    });

    it('finds phrases, prefixes and near words', async () => {
      await fill(note(1, 'the grey heron waits'), note(2, 'heron, grey and waiting'));
      const exact = { body_exact: 1 } as const;
      expect((await search({ kind: 'phrase', text: 'grey heron', fields: exact }, [1, 2])).total).toBe(1);
      expect((await search({ kind: 'prefix', text: 'wait', fields: exact }, [1, 2])).total).toBe(2);
      expect(
        (await search({ kind: 'fuzzy', text: 'herron', distance: 1, fields: exact }, [1, 2])).total,
      ).toBe(2);
    });

    it('breaks ties by path', async () => {
      await fill(note(1, 'heron', 'b.md'), note(2, 'heron', 'c.md'), note(3, 'heron', 'a.md'));
      const { hits } = await search({ kind: 'word', text: 'heron' }, [1, 2, 3]);
      expect(hits.map(({ id }) => id)).toEqual([3, 1, 2]);
    });

    it('slices snippets out of the stored text, with marks and the line of the file', async () => {
      const text = `---\nx: 1\n---\n${'Reeds sway. '.repeat(400)}\n\nThe 🦢 heron stands still.\n`;
      await fill({ ...note(1, text), bodyStart: 13 });
      const { hits } = await index.search({
        query: { kind: 'word', text: 'heron' },
        view: engine.setOf(Uint32Array.of(1)),
        filter: null,
        limit: 1,
        snippets: { chars: 240, perNote: 1, terms: '' },
      });
      const [snippet] = hits[0]!.snippets;
      expect(snippet!.text).toBe(text.slice(snippet!.start, snippet!.end));
      expect(snippet!.text.length).toBeLessThanOrEqual(240);
      expect(snippet!.text.slice(snippet!.marks[0], snippet!.marks[1])).toBe('heron');
      expect(snippet!.line).toBe(text.slice(0, text.indexOf('heron')).split('\n').length);
    });

    it('scans stored texts for substrings and expressions, in the order of paths', async () => {
      await fill(
        note(1, 'one\nBerlin\nberlin', 'b.md'),
        note(2, 'Berliner', 'a.md'),
        note(3, 'none', 'c.md'),
      );
      const view = engine.setOf(Uint32Array.of(1, 2, 3));
      const scan = (words: string[], regex: string | null) =>
        index.scan({ view, filter: null, words, regex, linesPerNote: 1 });
      const hits = await scan(['BERLIN'], null);
      expect(hits.map(({ id, lineCount }) => [id, lineCount])).toEqual([
        [2, 1],
        [1, 2],
      ]);
      expect(hits[1]!.lines).toEqual([{ line: 2, text: 'Berlin', marks: [0, 6] }]);
      expect((await scan([], '^n.+e$')).map(({ id }) => id)).toEqual([3]);
      await expect(scan([], '(')).rejects.toMatchObject({ code: 'bad_regex' });
    });

    it('expands words and counts documents within the View', async () => {
      await fill(note(1, 'heron'), note(2, 'herons'), note(3, 'hero'));
      const view = engine.setOf(Uint32Array.of(1, 2));
      const terms = await index.expand({ match: 'fuzzy', text: 'herom', distance: 1, view, limit: 5 });
      expect(terms.map(({ term, documents }) => [term, documents])).toEqual([['heron', 1]]);
      expect(Array.from(await index.documentFrequencies(['heron', 'hero'], 'body', view))).toEqual([2, 0]);
    });
  });
}

function note(id: number, text: string, path = `${id}.md`): NoteDocument {
  return { id, path, title: '', aliases: [], headings: [], tags: [], properties: '', text, bodyStart: 0 };
}
