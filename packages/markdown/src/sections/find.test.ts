import { contentHash, isGroveError } from '@grove/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dialect, NoteText } from '../model.ts';
import { parseNote } from '../parse.ts';
import { findSection, type SectionOptions, sectionHash } from './find.ts';

const read = (text: string, dialect: Dialect = 'obsidian') => parseNote(text, { dialect, path: 'a.md' });

const NOTE = read(`Before

# Plan

Intro

## Tasks

- one ^first

### Later

x

## *Open* \`questions\` & [notes](x.md)

y

# Log

## Tasks

z

## C# basics

### Types

t

## v@2

w ^first
`);

function rangeOf(note: NoteText, address: string, options?: SectionOptions): string {
  const { range } = findSection(note, address, options);
  return note.text.slice(range.start, range.end);
}

function failureOf(note: NoteText, address: string, options?: SectionOptions) {
  try {
    findSection(note, address, options);
  } catch (error) {
    if (isGroveError(error)) return error;
    throw error;
  }
  throw new Error(`${address} was found`);
}

describe('findSection', () => {
  it('runs to the next heading of the same or a higher level', () => {
    const { range, content, line, heading } = findSection(NOTE, 'Plan');
    expect(NOTE.text.slice(range.start, range.end)).toMatch(/^# Plan\n.*y\n\n$/s);
    expect(NOTE.text.slice(content.start, content.end)).toMatch(/^\nIntro\n.*y\n\n$/s);
    expect([line, heading?.text]).toEqual([3, 'Plan']);
  });

  it('ends at the first subheading when asked', () => {
    expect(rangeOf(NOTE, 'Plan', { subsections: false })).toBe('# Plan\n\nIntro\n\n');
    expect(rangeOf(NOTE, 'Later', { subsections: false })).toBe('### Later\n\nx\n\n');
    expect(rangeOf(NOTE, 'v@2', { subsections: false })).toBe('## v@2\n\nw ^first\n');
  });

  it.each([
    'Later',
    ' later ',
    '#Later',
    '### Later',
    '# LATER',
    '**Later**',
    'Plan#Later',
    'Plan#Tasks#Later',
    'Tasks#Later',
    '#Plan#Later',
    'Later@1',
    'Plan#Later@1',
  ])('finds the heading by %j', (address) => {
    expect(rangeOf(NOTE, address)).toBe('### Later\n\nx\n\n');
  });

  it.each([
    'Open questions & notes',
    '*Open* `questions` & [notes](x.md)',
    'open questions notes',
    'Open questions & [notes](other.md)',
    'Plan#Open questions & notes',
  ])('ignores markup and what a link cannot hold: %j', (address) => {
    expect(findSection(NOTE, address).line).toBe(15);
  });

  it.each([
    ['C# basics', 25],
    ['## C# basics', 25],
    ['Log#C# basics', 25],
    ['C# basics#Types', 27],
    ['C basics', 25],
    ['v@2', 31],
    ['Log#v@2', 31],
    ['Log#Tasks', 21],
    ['Plan#Tasks', 7],
    ['Tasks@2', 21],
    ['tasks@1', 7],
  ])('takes %j for line %i', (address, line) => {
    expect(findSection(NOTE, address).line).toBe(line);
  });

  it('compares composed and decomposed letters alike', () => {
    expect(findSection(read('# Café\n'), 'Cafe\u0301').line).toBe(1);
    expect(findSection(read('# Cafe\u0301\n'), 'CAFÉ').line).toBe(1);
  });

  it('never takes the first of several', () => {
    const error = failureOf(NOTE, 'Tasks', { path: 'Plan.md' });
    expect(error.code).toBe('section_ambiguous');
    expect(error.data).toEqual({
      path: 'Plan.md',
      section: 'Tasks',
      candidates: [
        { address: 'Tasks@1', line: 7, path: ['Plan', 'Tasks'] },
        { address: 'Tasks@2', line: 21, path: ['Log', 'Tasks'] },
      ],
    });
  });

  it('is ambiguous for a repeated path too', () => {
    const note = read('# A\n## B\n1\n# A\n## B\n2\n');
    expect(failureOf(note, 'A#B').code).toBe('section_ambiguous');
    expect(rangeOf(note, 'A#B@2')).toBe('## B\n2\n');
  });

  it('prefers a heading directly below to one further down', () => {
    const note = read('# A\n## X\n### C\n1\n## C\n2\n');
    expect(rangeOf(note, 'A#C')).toBe('## C\n2\n');
    expect(rangeOf(note, 'X#C')).toBe('### C\n1\n');
  });

  it('names the nearest headings on a miss', () => {
    const error = failureOf(NOTE, 'Taks', { path: 'Plan.md' });
    expect(error.code).toBe('section_not_found');
    const { nearest } = error.data as { nearest: string[] };
    expect(nearest.slice(0, 2)).toEqual(['Tasks@1', 'Tasks@2']);
    expect(nearest.length).toBe(5);
  });

  it.each([
    '',
    '#',
    '##',
    '@2',
    'Tasks@3',
    'Plan#Nothing',
    'Later#Tasks',
    '^nothing',
    '#^',
    'a'.repeat(10_000),
  ])('does not find %j', (address) => {
    expect(failureOf(NOTE, address).code).toBe('section_not_found');
  });

  it('finds blocks, and says when an id is there twice', () => {
    const note = read('# A\n\none ^a1\n\n- two ^b2\n  - three\n');
    for (const address of ['^a1', '#^a1', ' ^A1 ', 'A#^a1']) expect(rangeOf(note, address)).toBe('one ^a1');
    expect(rangeOf(note, '^b2')).toBe('- two ^b2\n  - three');
    expect(failureOf(note, '^c').data).toMatchObject({ nearest: ['^a1', '^b2'] });
    const error = failureOf(NOTE, '^first');
    expect([error.code, error.data]).toEqual([
      'section_ambiguous',
      expect.objectContaining({
        candidates: [
          { address: '^first@1', line: 9, path: [] },
          { address: '^first@2', line: 33, path: [] },
        ],
      }),
    ]);
    expect(rangeOf(NOTE, '^first@2')).toBe('w ^first');
  });

  it('sees no bullets outside Logseq', () => {
    expect(failureOf(read('- one\n'), 'one').code).toBe('section_not_found');
    expect(rangeOf(read('- one\n', 'logseq'), 'one')).toBe('- one');
  });

  it('says when a bullet is there twice', () => {
    const note = read('- one\n\t- a\n- one\n\t- b\n', 'logseq');
    expect(failureOf(note, 'one').data).toMatchObject({
      candidates: [
        { address: 'one@1', line: 1 },
        { address: 'one@2', line: 3 },
      ],
    });
    expect(rangeOf(note, 'one@2')).toBe('- one\n\t- b');
  });

  it('finds each heading by its own address', () => {
    const word = fc.constantFrom(
      'A',
      'a',
      'B',
      'A#B',
      'A@2',
      'B@1',
      '^x',
      '#',
      '*A*',
      'A  B',
      '',
      'C#',
      '@1',
      '[[A]]',
    );
    const line = fc.tuple(fc.integer({ min: 1, max: 4 }), word, fc.constantFrom('', '> ', '- '));
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 12 }),
        fc.constantFrom<Dialect>('obsidian', 'logseq'),
        (lines, dialect) => {
          const text = lines.map(
            ([level, title, container]) => `${container}${'#'.repeat(level)} ${title}\n\ntext\n`,
          );
          const note = read(text.join('\n'), dialect);
          for (const heading of note.headings) {
            const found = findSection(note, heading.address);
            expect(found.heading).toBe(heading);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('sectionHash', () => {
  it('is the hash of the bytes of the section', () => {
    const note = read('# Ä\nx\n# B\n');
    expect(sectionHash(note, findSection(note, 'Ä'))).toBe(contentHash(Buffer.from('# Ä\nx\n')));
  });
});
