import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type NoteFolder, openNoteFolder, paths } from '../testing/note-folder.ts';

describe('the lex language', () => {
  let folder: NoteFolder;

  beforeAll(async () => {
    folder = await openNoteFolder({
      'Projects/Heron.md':
        '---\ntags: [birds, work/field]\n---\n# Heron\n\nThe grey heron waits by the lake.\n\n## Tasks\n\nCount.',
      'Projects/Otter.md':
        '---\ntags: work\n---\n# Otter\n\nGrey otters swim; a heron was seen waiting.\n\n## Notes\n\nSwim.',
      'Journal/2026-11-30.md': 'Walked to the lake. #birds/seen\n\n## Tasks\n\nRest.',
      'Ünïcode.md': 'Nothing of note. #Birds',
    });
  });
  afterAll(() => folder.close());

  const found = async (query: string) => [...paths(await ask(folder, query))].sort();

  it.each<[string, string[]]>([
    ['heron', ['Projects/Heron.md', 'Projects/Otter.md']],
    ['"grey heron"', ['Projects/Heron.md']],
    ['-heron', ['Journal/2026-11-30.md', 'Ünïcode.md']],
    ['lake -heron', ['Journal/2026-11-30.md']],
    ['lake -"grey heron"', ['Journal/2026-11-30.md']],
    ['wait*', ['Projects/Heron.md', 'Projects/Otter.md']],
    ['title:heron', ['Projects/Heron.md']],
    ['-title:heron grey', ['Projects/Otter.md']],
    ['heading:tasks', ['Journal/2026-11-30.md', 'Projects/Heron.md']],
    ['heading:"Notes"', ['Projects/Otter.md']],
    ['tag:birds', ['Journal/2026-11-30.md', 'Projects/Heron.md', 'Ünïcode.md']],
    ['tag:#birds/seen', ['Journal/2026-11-30.md']],
    ['tag:bird', []],
    ['tag:bird*', ['Journal/2026-11-30.md', 'Projects/Heron.md', 'Ünïcode.md']],
    ['tag:birds -tag:work', ['Journal/2026-11-30.md', 'Ünïcode.md']],
    ['path:projects/ grey', ['Projects/Heron.md', 'Projects/Otter.md']],
    ['path:2026', ['Journal/2026-11-30.md']],
    ['path:üNÏ', ['Ünïcode.md']],
    ['tag:birds lake', ['Journal/2026-11-30.md', 'Projects/Heron.md']],
  ])('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it('ranks a whole question by its telling words', async () => {
    const answer = await ask(folder, 'Where does the grey heron wait, and which lake is it?');
    expect(paths(answer)[0]).toBe('Projects/Heron.md');
  });

  it('makes required parts optional when no note holds them all, and says so', async () => {
    const answer = await ask(folder, '"grey heron" title:otter');
    expect([...paths(answer)].sort()).toEqual(['Projects/Heron.md', 'Projects/Otter.md']);
    expect(answer.remarks.join()).toContain('required');
  });

  it('answers any string without throwing', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        '"',
        '-',
        '*',
        'tag:',
        'title:',
        'path:',
        'heading:',
        'heron',
        ' ',
        '🚀',
        '\0',
        '\ud800',
        '東京',
        '(',
        '^~',
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 8 }),
        fc.constantFrom('lex', 'text', 'vec', 'hyde', 'like'),
        async (pieces, type) => {
          const query = pieces.join('');
          const intent = pieces.length % 2 === 0 ? null : query;
          const answer = await ask(folder, query, { type: type as 'lex', intent });
          expect(answer.hits.length).toBeLessThanOrEqual(4);
          expect(answer.total).toBeGreaterThanOrEqual(answer.hits.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['words', 'heron '.repeat(20_000)],
    ['distinct words', Array.from({ length: 20_000 }, (_, at) => `w${at}`).join(' ')],
    ['one word', 'x'.repeat(100_000)],
    ['punctuation', '"-*:'.repeat(25_000)],
    ['ideographs', '東京大学'.repeat(25_000)],
  ])('answers 100 KB of %s', async (_, query) => {
    const answer = await ask(folder, query);
    expect(answer.total).not.toBeNull();
  });

  it('says that a long query was cut', async () => {
    const words = Array.from({ length: 200 }, (_, at) => `heron${at}`).join(' ');
    expect((await ask(folder, `lake ${words}`)).remarks.join()).toContain('long');
  });
});
