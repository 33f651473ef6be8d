import { isGroveError } from '@grove/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dialect, NoteText } from '../model.ts';
import { findSection } from '../sections/find.ts';
import { mergeTexts } from './compare/merge-texts.ts';
import { shortDiff } from './compare/short-diff.ts';
import { editText } from './matching/edit-text.ts';
import { insertText } from './parts/insert-text.ts';
import { replaceSection } from './parts/replace-section.ts';
import { editFrontmatter } from './properties/edit-frontmatter.ts';
import { editTags } from './tags/edit-tags.ts';
import { hostileText, isInsertion, orRefused, RUNS, read } from './testing/random-notes.ts';
import { writeWhole } from './write-whole.ts';

const path = 'a.md';
const dialect = fc.constantFrom<Dialect>('obsidian', 'logseq', 'foam', 'plain');
const address = fc.constantFrom('H', '^id', 'H@2', 'x', 'word');
const insertion = {
  section: null,
  timestamp: null,
  repeat: false,
  createSection: true,
  subsections: true,
  path,
};

describe('whatever a note and a content hold', () => {
  it('insertions keep every byte, or are refused', () => {
    fc.assert(
      fc.property(hostileText, hostileText, dialect, fc.option(address), (text, content, kind, section) => {
        for (const at of ['append', 'prepend'] as const) {
          const result = orRefused(() =>
            insertText(read(text, kind), { ...insertion, at, content, section }),
          );
          if (result !== null) expect(isInsertion(text, result.text)).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('replacements keep what is outside the section, and are the same again, or are refused', () => {
    fc.assert(
      fc.property(hostileText, hostileText, dialect, address, (text, content, kind, section) => {
        const note = read(text, kind);
        const change = { section, content, subsections: true, path };
        const result = orRefused(() => replaceSection(note, change));
        if (result === null) return;
        const { range, content: inside } = findSection(note, section);
        expect(result.text.startsWith(text.slice(0, range.start))).toBe(true);
        expect(result.text.endsWith(text.slice(inside.end).trimStart())).toBe(true);
        if (kind === 'logseq') return;
        const again = orRefused(() => replaceSection(read(result.text, kind), change));
        if (again !== null) expect(again.text).toBe(result.text);
      }),
      { numRuns: RUNS },
    );
  });

  it('changes of properties and tags keep the body and read back, or are refused', () => {
    fc.assert(
      fc.property(hostileText, dialect, fc.constantFrom('a', 'tags', 'k', 'new'), (text, kind, key) => {
        const note = read(text, kind);
        const set = orRefused(() => editFrontmatter(note, { set: { [key]: 'v' }, unset: [], path }));
        if (set !== null) {
          const after = read(set.text, kind);
          if (kind !== 'logseq' || key !== 'tags') expect(after.frontmatter.data[key]).toBe('v');
          if (kind !== 'logseq') expect(set.text.slice(after.bodyStart)).toBe(text.slice(note.bodyStart));
        }
        orRefused(() => editFrontmatter(note, { set: {}, unset: [key], path }));
        for (const location of ['frontmatter', 'inline', 'both'] as const)
          for (const change of [
            { add: ['new'], remove: ['tag', 'a'] },
            { add: [], remove: ['b'] },
          ]) {
            const tagged = orRefused(() => editTags(note, { ...change, location, path }));
            if (tagged === null || tagged.text === text) continue;
            expect(tagged.applied.length).toBeGreaterThan(0);
          }
      }),
      { numRuns: RUNS },
    );
  });

  it('whole notes, edits, differences and merges are answered or refused', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, dialect, async (text, content, kind) => {
        const note: NoteText = read(text, kind);
        orRefused(() =>
          writeWhole(null, { content, frontmatter: { a: 1 }, overwrite: true, path, dialect: kind }),
        );
        const whole = orRefused(() =>
          writeWhole(note, { content, frontmatter: null, overwrite: true, path }),
        );
        if (whole !== null) {
          expect(['ok', 'none', note.frontmatter.status]).toContain(
            read(whole.text, kind).frontmatter.status,
          );
          expect(shortDiff(text, whole.text, 300).length).toBeLessThanOrEqual(300);
          mergeTexts(text, whole.text, `${text}x`);
        }
        const edit = {
          find: content,
          replace: text,
          case: false,
          all: true,
          wholeWord: false,
          flexibleWhitespace: true,
        };
        for (const regex of [true, false])
          await editText(note, { edits: [{ ...edit, regex, scope: 'note' }], section: null, path }).catch(
            (error) => {
              if (!isGroveError(error)) throw error;
            },
          );
      }),
      { numRuns: RUNS },
    );
  });
});

describe('a note of a megabyte', () => {
  const text = `---\ntags: [a]\n---\n${Array.from({ length: 18_000 }, (_, index) => `## H ${index}\n\nSome #tag here ^id${index}\n\n- item\n`).join('')}`;
  const note = read(text);

  it('is changed in one place like a small one', async () => {
    expect(
      insertText(note, { ...insertion, at: 'append', section: 'H 9000', content: '```\nx\n```' }).text,
    ).toBe(text.replace('^id9000\n\n- item\n', '^id9000\n\n- item\n\n```\nx\n```\n\n'));
    const change = { section: 'H 9000', content: 'New ^id9000', subsections: null, path };
    expect(replaceSection(note, change).text).toBe(
      text.replace('Some #tag here ^id9000\n\n- item', 'New ^id9000'),
    );
    expect(editFrontmatter(note, { set: { a: 1 }, unset: [], path }).text).toBe(
      text.replace('[a]\n', '[a]\na: 1\n'),
    );
    expect(editTags(note, { add: [], remove: ['tag'], location: 'inline', path }).text).toBe(
      text.replaceAll(' #tag', ''),
    );
    const edit = {
      find: 'some',
      replace: 'Any',
      scope: 'body',
      all: true,
      regex: false,
      case: false,
      wholeWord: true,
      flexibleWhitespace: false,
    } as const;
    expect((await editText(note, { edits: [edit], section: null, path })).matches).toEqual([18_000]);
  });
});
