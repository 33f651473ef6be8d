import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chunk } from '../model.ts';
import { parseNote } from '../parse.ts';
import { chunkNote } from './chunk.ts';
import { estimateTokens } from './tokens.ts';

const read = (text: string) => parseNote(text, { dialect: 'obsidian', path: 'a.md' });
const piecesOf = (text: string) => chunkNote(read(text)).map(({ start, end }) => text.slice(start, end));

function expectCover(text: string, chunks: readonly Chunk[], bodyStart: number) {
  let at = bodyStart;
  for (const chunk of chunks) {
    expect(chunk.start).toBe(at);
    expect(chunk.end).toBeGreaterThan(chunk.start);
    at = chunk.end;
  }
  if (chunks.length > 0) expect(at).toBe(text.length);
  else expect(text.slice(bodyStart).trim()).toBe('');
}

const paragraph = (words: number, word = 'word') => `${Array(words).fill(word).join(' ')}\n\n`;

describe('chunkNote', () => {
  it('cuts at headings and tells the headings above', () => {
    const text = '---\na: 1\n---\nintro\n\n# A\n\none\n\n## B\n\ntwo\n\n# C\n\nthree\n';
    const chunks = chunkNote(read(text));
    expect(
      chunks.map(({ start, end, line, headingPath }) => [text.slice(start, end), line, headingPath]),
    ).toEqual([
      ['intro\n\n', 4, []],
      ['# A\n\none\n\n', 6, ['A']],
      ['## B\n\ntwo\n\n', 10, ['A', 'B']],
      ['# C\n\nthree\n', 14, ['C']],
    ]);
  });

  it('joins a heading without text of its own to the subsection below it', () => {
    expect(piecesOf('# A\n\n## B\n\ntext\n\n## C\n\n# D\n')).toEqual([
      '# A\n\n## B\n\ntext\n\n',
      '## C\n\n',
      '# D\n',
    ]);
  });

  it('puts blank lines before the first heading to its section', () => {
    expect(piecesOf('\n\n# A\n\ntext\n')).toEqual(['\n\n# A\n\ntext\n']);
    expect(chunkNote(read('\n\n# A\n'))[0]!.line).toBe(3);
  });

  it('keeps paragraphs whole and joins small ones to about 200 tokens', () => {
    const pieces = piecesOf(paragraph(40).repeat(10));
    expect(pieces.length).toBeGreaterThan(1);
    for (const piece of pieces) {
      expect(piece).toMatch(/^(?:word[\s\S]*word\n\n)$/);
      expect(estimateTokens(piece)).toBeLessThanOrEqual(260);
    }
    expect(piecesOf(paragraph(190))).toHaveLength(1);
  });

  it('cuts a long paragraph at lines, a long line at sentences, a long sentence at words', () => {
    const lines = `${'- an item of a list\n'.repeat(200)}`;
    for (const piece of piecesOf(lines)) expect(piece).toMatch(/^(?:- an item of a list\n)+$/);
    const sentences = 'This is a sentence of a long line. '.repeat(200);
    for (const piece of piecesOf(sentences))
      expect(piece).toMatch(/^(?:This is a sentence of a long line\. )+$/);
    for (const piece of piecesOf('word '.repeat(2000))) expect(piece).toMatch(/^(?:word )+$/);
  });

  it('counts scripts without spaces by character and cuts them after a full stop', () => {
    const pieces = piecesOf('早上在花园里工作，然后读书。'.repeat(100));
    for (const piece of pieces) {
      expect(piece).toMatch(/^(?:早上在花园里工作，然后读书。)+$/);
      expect(estimateTokens(piece)).toBeLessThanOrEqual(200);
    }
    expect(pieces.length).toBeGreaterThanOrEqual(7);
  });

  it('takes a single line of 300 KB apart without splitting a character', () => {
    for (const unit of ['x', '👨‍👩‍👧‍👦', '🇩🇪', 'e\u0301', '漢', '\ud83c\udf32']) {
      const text = unit.repeat(Math.ceil(300_000 / unit.length));
      const chunks = chunkNote(read(text));
      expectCover(text, chunks, 0);
      for (const { start, end } of chunks) {
        expect(text.slice(start, end).isWellFormed()).toBe(true);
        expect((end - start) % unit.length).toBe(0);
      }
    }
  });

  it('keeps a grapheme whole that is longer than a chunk', () => {
    const text = `a${'\u0301'.repeat(5000)} b`;
    const chunks = chunkNote(read(text));
    expectCover(text, chunks, 0);
    expect(chunks[0]!.end).toBeGreaterThan(5000);
  });

  it.each(['', '\n\n', '---\na: 1\n---\n', '---\na: 1\n---\n \n\t\n'])(
    'gives none for the blank body %j',
    (text) => {
      expect(chunkNote(read(text))).toEqual([]);
    },
  );

  it('covers any body once, in order, between graphemes', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom(
        '# A\n',
        '\n## B\n\n',
        '\n\n',
        '- x\n',
        '> # q\n',
        '```\n',
        'word '.repeat(300),
        '漢字。'.repeat(200),
      ),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        const note = read(text);
        const chunks = chunkNote(note);
        expectCover(text, chunks, note.bodyStart);
        for (const { start, end, line, headingPath } of chunks) {
          expect(text.slice(start, end).isWellFormed()).toBe(true);
          expect(line).toBeGreaterThanOrEqual(1);
          expect(
            headingPath.length === 0 || note.headings.some((heading) => heading.path === headingPath),
          ).toBe(true);
        }
      }),
    );
  });
});
