import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineAt } from './lines.ts';
import type { Dialect, NoteText, Range, Span } from './model.ts';
import { parseNote } from './parse.ts';

const MARKS = [
  ...[
    '---\n',
    '...\n',
    'tags: [a, b]\n',
    'a: [[b]]\n',
    'k: &x [*x]\n',
    '# ',
    '## H\n',
    '\n',
    '\r\n',
    '\r',
    '\n\n',
  ],
  ...[
    '- ',
    '\t- ',
    '  - ',
    '1. ',
    '> ',
    '```',
    '~~~',
    '`',
    '``',
    '$',
    '$$',
    '%%',
    '<!--',
    '-->',
    '<b>',
    '</b>',
  ],
  ...[
    '[[',
    ']]',
    '![[',
    '|',
    '\\|',
    '#',
    '^',
    '[',
    ']',
    '(',
    ')',
    '](',
    ']: x\n',
    '[^1]',
    '*',
    '**',
    '_',
    '~~',
    '==',
  ],
  ...[
    ' #tag',
    ' ^id',
    'a:: b\n',
    'id:: x\n',
    '((',
    '))',
    'TODO ',
    '[ ] ',
    '[x] ',
    '://',
    '\\',
    '&amp;',
    '\0',
    '\ufeff',
  ],
  ...['🌲', '漢', 'e\u0301', '👨‍👩‍👧', '\u200d', '\u2028', '| a |\n|---|\n', '===\n', '    '],
];

const hostile = fc.oneof(
  fc.array(fc.constantFrom(...MARKS, 'word ', 'x'), { maxLength: 60 }).map((marks) => marks.join('')),
  fc
    .array(fc.oneof(fc.constantFrom(...MARKS), fc.string({ unit: 'binary', maxLength: 5 })), {
      maxLength: 30,
    })
    .map((marks) => marks.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }).map((text) => `---\n${text}\n---\n${text}`),
);
const dialect = fc.constantFrom<Dialect>('obsidian', 'logseq', 'foam', 'plain');

function expectInside(range: Range, note: NoteText, from = 0) {
  expect(range.start).toBeGreaterThanOrEqual(from);
  expect(range.end).toBeGreaterThanOrEqual(range.start);
  expect(range.end).toBeLessThanOrEqual(note.text.length);
}

function expectSpans(spans: readonly Span[], note: NoteText, from = 0) {
  for (const [index, span] of spans.entries()) {
    expectInside(span, note, from);
    expect(span.line).toBe(1 + (note.text.slice(0, span.start).match(/\n/g)?.length ?? 0));
    if (index > 0) expect(span.start).toBeGreaterThanOrEqual(spans[index - 1]!.start);
  }
}

describe('any text', () => {
  it('is read without an error, and every range lies in it, in order, on its line', () => {
    fc.assert(
      fc.property(hostile, dialect, (text, kind) => {
        const note = parseNote(text, { dialect: kind, path: 'a.md' });
        expect(note.text).toBe(text);
        const { bodyStart } = note;
        expectSpans(note.headings, note, bodyStart);
        expectSpans(note.listItems, note, bodyStart);
        expectSpans(note.tasks, note, bodyStart);
        expectSpans(note.blocks, note, bodyStart);
        expectSpans(
          note.links.filter((link) => link.kind === 'frontmatter'),
          note,
        );
        expectSpans(
          note.links.filter((link) => link.kind !== 'frontmatter'),
          note,
          bodyStart,
        );
        expectSpans(
          note.tags.filter((tag) => tag.source === 'inline'),
          note,
          bodyStart,
        );
        for (const tag of note.tags) expectInside(tag, note);
        for (const block of note.blocks) expectInside(block.block, note, bodyStart);
        let end = bodyStart;
        for (const literal of note.literals) {
          expectInside(literal, note, end);
          end = literal.end;
        }
        expect(JSON.parse(JSON.stringify(note.frontmatter.data))).toEqual(note.frontmatter.data);
      }),
      { numRuns: 3000 },
    );
  });

  it('has sections that nest, and trees that nest', () => {
    fc.assert(
      fc.property(hostile, dialect, (text, kind) => {
        const note = parseNote(text, { dialect: kind, path: 'a.md' });
        const sections = note.headings.map(({ start, sectionEnd }) => ({ start, end: sectionEnd }));
        const trees = note.listItems.map(({ start, treeEnd }) => ({ start, end: treeEnd }));
        for (const ranges of [sections, trees])
          for (const [index, inner] of ranges.entries())
            for (const outer of ranges.slice(0, index))
              expect(inner.start >= outer.end || inner.end <= outer.end).toBe(true);
        for (const { end, sectionEnd, path, text: title } of note.headings) {
          expect(sectionEnd).toBeGreaterThanOrEqual(end);
          expect(path[path.length - 1]).toBe(title);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('has no link, tag or block id in a literal', () => {
    fc.assert(
      fc.property(hostile, dialect, (text, kind) => {
        const note = parseNote(text, { dialect: kind, path: 'a.md' });
        for (const { start } of [...note.blocks, ...note.tags.filter((tag) => tag.source === 'inline')])
          expect(note.literals.some((literal) => literal.start <= start && start < literal.end)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('lineAt', () => {
  it('counts the line breaks before an offset', () => {
    expect([0, 1, 2, 3].map((offset) => lineAt([0, 2, 3], offset))).toEqual([1, 1, 2, 3]);
  });
});
