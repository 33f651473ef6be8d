import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeKeepingOurs, mergeTexts } from './merge-texts.ts';

describe('mergeTexts', () => {
  it.each([
    ['a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n', 'A\nb\nC\n'],
    ['a\nb\nc\n', 'a\nx\nb\nc\n', 'a\nb\ny\nc\n', 'a\nx\nb\ny\nc\n'],
    ['a\nb\nc\n', 'a\nc\n', 'a\nb\nc\nd\n', 'a\nc\nd\n'],
    ['a\nb\nc', 'A\nb\nc', 'a\nb\nC', 'A\nb\nC'],
    ['a\r\nb\r\nc\r\n', 'A\r\nb\r\nc\r\n', 'a\r\nb\r\nC\r\n', 'A\r\nb\r\nC\r\n'],
    ['a\nb\nc\n', 'A\nb\nc\n', 'A\nb\nc\n', 'A\nb\nc\n'],
    ['a\nb\nc\n', 'A\nb\nC\n', 'A\nb\nc\n', 'A\nb\nC\n'],
    ['a\n', 'a\n', 'b\n', 'b\n'],
    ['a\n', 'b\n', 'a\n', 'b\n'],
    ['', 'a\n', '', 'a\n'],
  ])('%j, %j and %j are %j', (base, ours, theirs, merged) => {
    expect(mergeTexts(base, ours, theirs)).toBe(merged);
    expect(mergeTexts(base, theirs, ours)).toBe(merged);
  });

  it.each([
    ['a\nb\n', 'A\nb\n', 'a\nB\n'],
    ['a\nb\nc\n', 'a\nx\nc\n', 'a\ny\nc\n'],
    ['a\n', 'a\nx\n', 'a\ny\n'],
    ['a\nb\n', 'a\nx\nb\n', 'a\ny\nb\n'],
    ['a\nb\nc\n', 'a\nc\n', 'a\nB\nc\n'],
    ['a\nb', 'a\nb\nx', 'A\nb'],
    ['', 'a\n', 'b\n'],
  ])('%j, %j and %j overlap or touch', (base, ours, theirs) => {
    expect(mergeTexts(base, ours, theirs)).toBeNull();
    expect(mergeTexts(base, theirs, ours)).toBeNull();
  });

  it('does not make frontmatter that no one could read', () => {
    const base = '---\na: 1\nb: 2\nc: 3\n---\nx\n';
    expect(
      mergeTexts(base, base.replace('a: 1', 'n: 1\na: 1'), base.replace('c: 3', 'c: 3\nn: 2')),
    ).toBeNull();
    expect(mergeTexts(base, base.replace('a: 1', 'a: 9'), base.replace('c: 3', 'c: 4'))).toBe(
      '---\na: 9\nb: 2\nc: 4\n---\nx\n',
    );
  });

  it('takes long texts of equal lines, and gives up on those that are no versions of one another', () => {
    const lines = (first: string, last: string) => `${first}\n${'\n'.repeat(50_000)}${last}\n`;
    expect(mergeTexts(lines('a', 'b'), lines('A', 'b'), lines('a', 'B'))).toBe(lines('A', 'B'));
    const many = (word: string) => Array.from({ length: 3000 }, (_, index) => `${word} ${index}\n`).join('');
    expect(mergeTexts(`${many('old')}end\n`, `${many('new')}end\n`, `${many('old')}END\n`)).toBeNull();
  });

  it('has both changes, wherever lines between them stay', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd', 'e', '', 'x');
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 6, maxLength: 20 }),
        fc.array(line, { maxLength: 3 }),
        fc.array(line, { maxLength: 3 }),
        (lines, first, second) => {
          // Lines are numbered, so that there is one way to align them.
          const base = lines.map((text, index) => `${index} ${text}\n`);
          const ours = [...first.map((text) => `new ${text}\n`), ...base.slice(2)].join('');
          const theirs = [...base.slice(0, -2), ...second.map((text) => `newer ${text}\n`)].join('');
          const both = [
            ...first.map((text) => `new ${text}\n`),
            ...base.slice(2, -2),
            ...second.map((text) => `newer ${text}\n`),
          ].join('');
          expect(mergeTexts(base.join(''), ours, theirs)).toBe(both);
        },
      ),
    );
  });

  it('is the same whichever text is called ours', () => {
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n'), { maxLength: 8 })
      .map((lines) => lines.join(''));
    fc.assert(
      fc.property(text, text, text, (base, ours, theirs) => {
        const merged = mergeTexts(base, ours, theirs);
        expect(mergeTexts(base, theirs, ours)).toBe(merged);
        const known = new Set([...ours.split('\n'), ...theirs.split('\n')]);
        if (merged !== null) for (const line of merged.split('\n')) expect(known.has(line)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('mergeKeepingOurs', () => {
  it.each([
    ['a\nb\nc\nd\ne\n', 'A\nb\nc\nd\ne\n', 'x\nb\nc\nd\nE\n', 'A\nb\nc\nd\nE\n'],
    ['a\nb\nc\n', 'a\nb\nc\nours\n', 'x\nb\nc\ntheirs\n', 'x\nb\nc\nours\n'],
    ['a\nb\nc\n', 'b\nc\n', 'A\nb\nC\n', 'b\nC\n'],
    ['', 'ours\n', 'theirs\n', 'ours\n'],
  ])('of %j, %j and %j is %j', (base, ours, theirs, text) => {
    expect(mergeKeepingOurs(base, ours, theirs)).toEqual({ text, isWhole: false });
  });

  it('is the whole merge where nothing overlaps', () => {
    expect(mergeKeepingOurs('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n')).toEqual({
      text: 'A\nb\nC\n',
      isWhole: true,
    });
  });

  it('is ours where the frontmatter could not be read, or the texts are no versions of one another', () => {
    const base = '---\na: 1\nb: 2\nc: 3\n---\nx\n';
    const ours = base.replace('a: 1', 'n: 1\na: 1');
    expect(mergeKeepingOurs(base, ours, base.replace('c: 3', 'c: 3\nn: 2'))).toEqual({
      text: ours,
      isWhole: false,
    });
    const many = (word: string) => Array.from({ length: 3000 }, (_, index) => `${word} ${index}\n`).join('');
    expect(mergeKeepingOurs(many('old'), many('new'), `${many('old')}END\n`)).toEqual({
      text: many('new'),
      isWhole: false,
    });
  });
});
