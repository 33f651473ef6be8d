import { allowAll, parsePathRule, type View } from '@grove/vault';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SearchAnswer, SearchType } from './contract.ts';
import { type NoteFolder, openNoteFolder, request } from './testing/note-folder.ts';

const WORDS = [
  'heron',
  'herons',
  'otter',
  'lake',
  'real-time',
  'grey',
  '東京大学',
  'reeds',
  'waiting',
  'kubernetes',
];
const FOLDERS = ['open', 'shut', 'open/deep', 'shut/deep'];
const QUERIES: readonly [SearchType, string][] = [
  ['lex', 'heron lake'],
  ['lex', 'hreon'],
  ['lex', 'kubernets'],
  ['lex', '"grey heron"'],
  ['lex', 'real-time'],
  ['lex', '東京'],
  ['lex', 'wait*'],
  ['lex', '-lake'],
  ['lex', 'otter note0'],
  ['lex', 'tag:heron'],
  ['lex', 'path:deep lake'],
  ['lex', 'otte'],
  ['lex', 'zzzzzz'],
  ['text', 'ee'],
  ['regex', 'h.r'],
  ['like', 'note0'],
  ['like', 'note1'],
];

describe('a View', () => {
  it('answers as a vault that holds only its notes', async () => {
    const note = fc.record({
      folder: fc.constantFrom(...FOLDERS),
      words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 }),
      tags: fc.subarray(['heron', 'lake']),
      title: fc.option(fc.constantFrom('Heron lake', 'Otter', 'Note0')),
    });
    const vaults = fc.record({
      notes: fc.array(note, { minLength: 1, maxLength: 12 }),
      edited: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(vaults, async ({ notes, edited }) => {
        const files = Object.fromEntries(
          notes.map(({ folder, words, tags, title }, at) => {
            const head = title === null ? '' : `title: ${title}\n`;
            return [
              `${folder}/note${at}.md`,
              `---\n${head}tags: [${tags.join(', ')}]\n---\n${words.join(' ')}\n`,
            ];
          }),
        );
        const changed = { ...files, [Object.keys(files)[0]!]: edited.join(' ') };
        const visible = Object.fromEntries(
          Object.entries(changed).filter(([path]) => path.startsWith('open/')),
        );
        const whole = await openNoteFolder(files);
        const alone = await openNoteFolder(visible);
        try {
          // An update leaves a deleted document behind, which must not count.
          await whole.change(changed);
          const view = whole.vault.view({ ...allowAll, readPaths: [parsePathRule('open')] });
          for (const [type, query] of QUERIES) {
            const seen = await answerOf(whole, view, type, query);
            expect(seen, `${type} ${query}`).toEqual(
              await answerOf(alone, alone.vault.ownerView(), type, query),
            );
          }
        } finally {
          await whole.close();
          await alone.close();
        }
      }),
      { numRuns: 15 },
    );
  });

  it('of three notes in a large vault finds its note', async () => {
    const notes: Record<string, string> = {
      'trail/a.md': 'The heron waits.',
      'trail/b.md': 'Reeds.',
      'trail/c.md': 'Mud.',
    };
    for (let at = 0; at < 2000; at++)
      notes[`rest/${at % 20}/${at}.md`] = `# Heron ${at}\n\nheron heron heron ${at}`;
    const folder = await openNoteFolder(notes);
    try {
      const view = folder.vault.view({ ...allowAll, readPaths: [parsePathRule('trail')] });
      const { hits, total } = await folder.search.search(view, request([{ type: 'lex', query: 'heron' }]));
      expect([hits.map(({ row }) => row.path), total]).toEqual([['trail/a.md'], 1]);
    } finally {
      await folder.close();
    }
  });

  it('does not offer words or names of hidden notes', async () => {
    const folder = await openNoteFolder({ 'open/a.md': 'Reeds.', 'shut/Kestrel.md': 'The kestrel hovers.' });
    try {
      const view = folder.vault.view({ ...allowAll, denyPaths: [parsePathRule('shut')] });
      for (const query of [
        'kestrel',
        'kestrl',
        'kest',
        'kestr*',
        'title:kestrel',
        'path:shut',
        '"the kestrel"',
      ]) {
        for (const type of ['lex', 'text', 'like'] as const) {
          const answer = await folder.search.search(view, request([{ type, query }]));
          expect([answer.hits, answer.total, answer.suggestions]).toEqual([[], 0, []]);
          expect(answer.remarks.join()).not.toContain('kestrel');
        }
      }
    } finally {
      await folder.close();
    }
  });
});

async function answerOf(folder: NoteFolder, view: View, type: SearchType, query: string) {
  const answer: SearchAnswer = await folder.search.search(view, request([{ type, query }], { snippets: 2 }));
  // Ids and stat keys are of the folder; everything a caller sees must be the same.
  return {
    ...answer,
    hits: answer.hits.map(({ row, ...hit }) => ({ ...hit, path: row.path, title: row.title })),
  };
}
