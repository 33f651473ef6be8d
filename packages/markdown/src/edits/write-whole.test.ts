import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../model.ts';
import { newNoteText } from './new-note.ts';
import { block, body, codeOf, failureOf, noteText, orRefused, RUNS, read } from './testing/random-notes.ts';
import { type WholeWrite, writeWhole } from './write-whole.ts';

const write = (
  text: string | null,
  content: string,
  change: Partial<WholeWrite> = {},
  dialect: Dialect = 'obsidian',
) =>
  writeWhole(text === null ? null : read(text, dialect), {
    content,
    frontmatter: null,
    overwrite: false,
    path: 'a.md',
    dialect,
    ...change,
  });
const textOf = (...call: Parameters<typeof write>) => write(...call).text;
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`).join('');

describe('a new note', () => {
  it.each([
    ['Hello', 'Hello\n'],
    ['Hello\n\n\n', 'Hello\n'],
    ['a\r\nb', 'a\r\nb\r\n'],
    ['', ''],
    ['---\na: 1\n---\nx', '---\na: 1\n---\nx\n'],
    ['\n\nx  \n', '\n\nx  \n'],
  ])('ends in one line break: %j', (content, text) => {
    expect(textOf(null, content)).toBe(text);
  });

  it('has the properties that are given, once', () => {
    expect(textOf(null, 'x', { frontmatter: { tags: ['a'], due: '2026-11-30' } })).toBe(
      '---\ntags:\n  - a\ndue: 2026-11-30\n---\nx\n',
    );
    expect(textOf(null, 'x', { frontmatter: {} })).toBe('x\n');
    expect(textOf(null, '---\na: 1\n---\nx', { frontmatter: { a: 1 } })).toBe('---\na: 1\n---\nx\n');
    expect(codeOf(() => write(null, '---\na: 1\n---\nx', { frontmatter: { a: 2 } }))).toBe('bad_input');
    expect(textOf(null, '- x', { frontmatter: { tags: ['a', 'b'] } }, 'logseq')).toBe('tags:: a, b\n\n- x\n');
  });

  it.each(['---\na: [\n---\nx', '---\nx', '---\nhello\n---\nx'])(
    'has no broken frontmatter: %j',
    (content) => {
      expect(codeOf(() => write(null, content))).toBe('would_break_frontmatter');
    },
  );

  it('that an append makes has bullets in a Logseq graph, and its section', () => {
    const base = { content: 'x', frontmatter: null, path: 'a.md' };
    expect(newNoteText({ ...base, dialect: 'logseq', as: 'append' })).toBe('- x\n');
    expect(newNoteText({ ...base, dialect: 'obsidian', section: 'Log', timestamp: '08:00' })).toBe(
      '## Log\n\n- 08:00 x\n',
    );
  });
});

describe('a note that is there', () => {
  it.each([
    ['---\na: 1 # c\n---\n\nOld\n', 'New', '---\na: 1 # c\n---\n\nNew\n'],
    ['---\na: 1\n---\nOld', 'New\n\n', '---\na: 1\n---\nNew'],
    ['---\na: [\n---\nOld\n', 'New', '---\na: [\n---\nNew\n'],
    ['---\na: 1\n---\nOld\n', '---\nz: 1 # z\n---\nNew', '---\nz: 1 # z\n---\nNew\n'],
    ['---\na: 1\n---\nOld\n', '---\n---\nNew', '---\n---\nNew\n'],
    ['---\na: 1\n---\nOld\n', '---\n\nNew', '---\na: 1\n---\n---\n\nNew\n'],
    ['Old\n\n\n', 'New', 'New\n\n\n'],
    ['\ufeffOld\r\n', '\ufeffNew\nb', '\ufeffNew\r\nb\r\n'],
    ['\ufeff---\r\na: 1\r\n---\r\nOld\r\n', 'New', '\ufeff---\r\na: 1\r\n---\r\nNew\r\n'],
    ['Old\n', 'New\r\nb', 'New\nb\n'],
    ['a\r\nb\nc\r\n', 'a\nb\nnew\nc', 'a\r\nb\nnew\r\nc\r\n'],
    ['', 'New', 'New\n'],
    ['---\na: 1\n---', 'New', '---\na: 1\n---\nNew\n'],
  ])('%j with %j becomes %j', (before, content, after) => {
    expect(textOf(before, content)).toBe(after);
  });

  it('keeps the bytes of properties that stay equal', () => {
    const before = '---\n# all\na:   1 # one\nb: [x,  y]\n---\nOld\n';
    expect(textOf(before, 'New', { frontmatter: { a: 1, b: ['x', 'z'], c: 2 } })).toBe(
      '---\n# all\na:   1 # one\nb: [x, z]\nc: 2\n---\nNew\n',
    );
    expect(textOf(before, 'New', { frontmatter: {} })).toBe('New\n');
    expect(textOf('Old\n', 'New', { frontmatter: { a: 1 } })).toBe('---\na: 1\n---\nNew\n');
    expect(textOf('---\na: [\n---\nOld\n', 'New', { frontmatter: { a: 1 } })).toBe('---\na: 1\n---\nNew\n');
  });

  it('never gets two blocks', () => {
    const before = '---\na: 1\n---\nOld\n';
    expect(codeOf(() => write(before, '---\nb: 1\n---\nNew', { frontmatter: { c: 1 } }))).toBe('bad_input');
    expect(codeOf(() => write(before, '---\nb: [\n---\nNew'))).toBe('would_break_frontmatter');
    expect(codeOf(() => write(before, '---\nb: 1\nNew'))).toBe('would_break_frontmatter');
  });

  it('of Logseq keeps its page properties where the content has none', () => {
    expect(textOf('title:: x\n\n- a\n', '- b', {}, 'logseq')).toBe('title:: x\n\n- b\n');
    expect(textOf('title:: x\n\n- a\n', 'title:: y\n\n- b', {}, 'logseq')).toBe('title:: y\n\n- b\n');
    expect(textOf('title:: x\nk:: 1\n\n- a\n', '- b', { frontmatter: { title: 'y' } }, 'logseq')).toBe(
      'title:: y\n\n- b\n',
    );
  });

  it('may not be emptied or lose most of its lines, unless it is meant', () => {
    const { code, data, hint } = failureOf(() => write(lines(20), lines(9)));
    expect([code, data.before, data.after]).toEqual(['would_shrink', 20, 9]);
    expect(hint).toContain('edit');
    expect(textOf(lines(20), lines(9), { overwrite: true })).toBe(lines(9));
    expect(textOf(lines(20), lines(10))).toBe(lines(10));
    expect(textOf(lines(5), lines(1))).toBe(lines(1));
    for (const content of ['', ' \n']) expect(codeOf(() => write('x\n', content))).toBe('would_shrink');
    expect(textOf('---\na: 1\n---\nx\n', '', { overwrite: true })).toBe('---\na: 1\n---\n');
    const long = 'word '.repeat(400);
    expect(codeOf(() => write(`${long}\n`, long.slice(0, 500)))).toBe('would_shrink');
  });

  it('may not get lines that stand for text left out', () => {
    expect(codeOf(() => write(lines(3), `${lines(3)}\n<!-- rest of the note unchanged -->\n`))).toBe(
      'elided_content',
    );
  });

  it('that would be the same is already there', () => {
    expect(write('---\na: 1\n---\nx\n', 'x').alreadyThere).toBe(true);
  });
});

describe('any note', () => {
  it('written with the body that was read is the same, byte for byte', () => {
    fc.assert(
      fc.property(noteText, (text) => {
        const note = read(text);
        const result = orRefused(() => write(text, text.slice(note.bodyStart)));
        if (result !== null) expect(result.text).toBe(text);
      }),
      { numRuns: RUNS },
    );
  });

  it('keeps its block, line breaks and byte order mark, and holds the new body', () => {
    fc.assert(
      fc.property(noteText, fc.oneof(body, block), (text, content) => {
        const note = read(text);
        const result = orRefused(() => write(text, content, { overwrite: true }));
        if (result === null) return;
        const after = read(result.text);
        expect(result.text.slice(0, after.bodyStart)).toBe(text.slice(0, note.bodyStart));
        const written = result.text.slice(after.bodyStart).replaceAll('\r\n', '\n');
        if (content.trim() !== '') expect(written.trim()).toBe(content.trim());
        expect(write(result.text, content, { overwrite: true }).text).toBe(result.text);
      }),
      { numRuns: RUNS },
    );
  });
});
