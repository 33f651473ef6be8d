import { parseNote } from '@grove/markdown';
import type { NoteRow } from '@grove/vault';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meaningTexts } from './meaning-texts.ts';

function textsOf(text: string, path = 'Garden/Sourdough.md') {
  const note = parseNote(text, { dialect: 'obsidian', path });
  const name = path.split('/').at(-1)!.replace(/\.md$/, '');
  const tags = [...new Set(note.tags.map((tag) => tag.name))];
  const row = { name, title: note.title ?? name, aliases: note.aliases, tags } as Partial<NoteRow> as NoteRow;
  return meaningTexts(row, note);
}

/** Longer than what a head holds of a note. */
const LONG = 'Rye is the grain for it, and water as warm as a hand. '.repeat(8).trim();

describe('meaningTexts', () => {
  it('gives the head and each part under its title and headings', () => {
    const text = `---\ntitle: My bread\naliases: [Starter]\ntags: baking\ndescription: How to feed it.\n---\nFeed it daily.\n\n## Hours\n\nEvery 12. ${LONG}\n`;
    expect(textsOf(text).map((part) => part.text)).toEqual([
      expect.stringMatching(
        /^My bread, Sourdough, Starter\nbaking\nHow to feed it\.\nFeed it daily\. ## Hours Every 12\. Rye/,
      ),
      'My bread\n\nFeed it daily.',
      `My bread > Hours\n\n## Hours\n\nEvery 12. ${LONG}`,
    ]);
  });

  it('has one text for a short note: its head says it all', () => {
    expect(textsOf('# Bread\n\nFeed it daily.\n').map((part) => part.text)).toEqual([
      'Bread, Sourdough\nFeed it daily.',
    ]);
  });

  it('has one text for a note with nothing in it, so that its name is found', () => {
    expect(textsOf('').map((part) => part.text)).toEqual(['Sourdough']);
  });

  it('gives the same keys after a move, and one new key after a new name', () => {
    const text = `One.\n\n## A\n\n${LONG}\n`;
    const keys = (path: string) => textsOf(text, path).map(({ key }) => key);
    expect(keys('Other/Sourdough.md')).toEqual(keys('Garden/Sourdough.md'));
    const renamed = keys('Garden/Rye.md');
    expect(renamed.slice(1)).toEqual(keys('Garden/Sourdough.md').slice(1));
    expect(renamed[0]).not.toBe(keys('Garden/Sourdough.md')[0]);
  });

  it('keeps the keys of paragraphs that did not change', () => {
    const before = textsOf(`## A\n\n${LONG}\n\n## B\n\nTwo.\n`).map(({ key }) => key);
    const after = textsOf(`## A\n\n${LONG}\n\n## B\n\nTwo and three.\n`).map(({ key }) => key);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).toBe(before[1]);
    expect(after[2]).not.toBe(before[2]);
  });

  it('gives well-formed texts of bounded length for any note', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 3000 }), (text) => {
        for (const part of textsOf(text)) {
          expect(part.text.isWellFormed() || !text.isWellFormed()).toBe(true);
          expect(part.end).toBeGreaterThanOrEqual(part.start);
        }
      }),
    );
    const [head] = textsOf(`---\ndescription: ${'a'.repeat(9000)}\n---\n${'👨‍👩‍👧‍👦'.repeat(900)}`);
    expect(head!.text.length).toBeLessThan(1000);
    expect(head!.text.isWellFormed()).toBe(true);
  });
});
