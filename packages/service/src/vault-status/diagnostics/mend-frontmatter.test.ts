import { type NoteText, parseNote } from '@grove/markdown';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mendFrontmatter } from './mend-frontmatter.ts';

const read = (text: string): NoteText => parseNote(text, { dialect: 'obsidian', path: 'A.md' });

const line = fc.oneof(
  fc.constantFrom(
    'a: 1',
    'tags: [x, y]',
    'tags: [x, y',
    'title: Soil: a study',
    'by: "Ada',
    "by: 'Ada",
    'just words',
    '- item: x: y',
    '  - item',
    '\tb: 2',
    '  c: @home',
    'd: {x: 1',
    'e: |',
    '  text: of: e',
    'f: *g',
    'g: %h',
    '? k',
    ': v',
    '}',
    '# note',
    '',
    'a: 2',
    'h: `x`',
    'i: - j',
  ),
  fc.string({ maxLength: 12 }).filter((text) => !/[\r\n]/.test(text) && !/^(?:---|\.\.\.)/.test(text)),
);

const texts = fc
  .record({
    lines: fc.array(line, { maxLength: 8 }),
    isClosed: fc.boolean(),
    body: fc.constantFrom('', 'Text.\n', '# Heading\n\nText: a.\n'),
    lineBreak: fc.constantFrom('\n', '\r\n'),
    mark: fc.constantFrom('', '\ufeff'),
  })
  .map(
    ({ lines, isClosed, body, lineBreak, mark }) =>
      mark + ['---', ...lines, ...(isClosed ? ['---'] : []), body].join('\n').replaceAll('\n', lineBreak),
  );

it('broken frontmatter can be read after the edits, and no word of it is lost', () => {
  let mended = 0;
  let broken = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const note = read(text);
      if (note.frontmatter.status !== 'broken' && note.frontmatter.status !== 'unclosed') return;
      broken += 1;
      const edits = mendFrontmatter(note, 'A.md');
      if (edits === null) return;
      mended += 1;
      const plain = text.replaceAll('\r\n', '\n');
      const [{ find, replace }] = edits as [(typeof edits)[number]];
      expect(plain.split(find).length - 1).toBeGreaterThan(0);
      const after = plain.replace(find, () => replace);
      expect(['ok', 'none']).toContain(read(after).frontmatter.status);
      const words = (some: string) => some.match(/[\p{L}\p{N}]+/gu) ?? [];
      expect(words(after)).toEqual(words(plain));
    }),
    { numRuns: 3_000, seed: 7 },
  );
  expect(mended / broken).toBeGreaterThan(0.95);
});

it('leaves to people what is too long, in no time', () => {
  const long = `---\na: [\n${'b: c: d\n'.repeat(5_000)}---\n${'Text.\n'.repeat(100_000)}`;
  expect(mendFrontmatter(read(long), 'A.md')).toBeNull();
  const open = `---\n${'b: c\n'.repeat(100_000)}`;
  expect(mendFrontmatter(read(open), 'A.md')).toBeNull();
});
