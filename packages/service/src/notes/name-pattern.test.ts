import { GroveError } from '@grove/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGlob, namePattern, pathGlob } from './name-pattern.ts';

describe('pathGlob', () => {
  it.each([
    ['*.md', 'a.md', true],
    ['*.md', 'x/a.md', false],
    ['**/*.md', 'a.md', true],
    ['**/*.md', 'x/y/a.md', true],
    ['x/**', 'x/y/a.md', true],
    ['x/**', 'xy/a.md', false],
    ['Daily/2026-11-??', 'daily/2026-11-30.md', true],
    ['Daily/2026-11-?.md', 'Daily/2026-11-30.md', false],
    ['{a,b}/*.md', 'b/c.md', true],
    ['{a,b}/*.md', 'c/c.md', false],
    ['{a,b}', 'b.md', true],
    ['**.md', 'x/a.md', true],
    ['x**c', 'x/a/c.md', true],
    ['café/*', 'CAFÉ/a.md', true],
    ['[x].md', '[x].md', true],
    ['[x].md', 'x.md', false],
    ['a+b (1).md', 'a+b (1).md', true],
    ['C++', 'c++.md', true],
    ['note', 'note.md', true],
    ['./note.md', 'note.md', true],
  ])('%s over %s: %s', (glob, path, expected) => expect(pathGlob(glob)(path)).toBe(expected));

  it('runs in linear time where a backtracking engine would hang', async () => {
    expect(pathGlob('*a*a*a*a*a*a*a*a*a*a*a*a*b.md')(`${'a'.repeat(1000)}.md`)).toBe(false);
    expect(pathGlob(`${'**/a*/'.repeat(100)}b`)(`${'a/'.repeat(400)}c.md`)).toBe(false);
    expect((await namePattern('(a+)+$'))(`${'a'.repeat(50_000)}!`)).toBe(false);
  });

  it('refuses what stands for too many globs', () => {
    expect(() => pathGlob('{a,b}'.repeat(100))).toThrow(/too many choices/);
    expect(() => pathGlob('a'.repeat(2000))).toThrow(/too long/);
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'*?{},[]()a/.\\^$|&~-#é'.split('')) }), (glob) => {
        expect(typeof pathGlob(glob)('a/b.md')).toBe('boolean');
      }),
    );
  });

  it('knows a glob when it sees one', () => {
    expect(['a*', '?', '{a,b}'].map(isGlob)).toEqual([true, true, true]);
    expect(['[x].md', '{a}', 'a.md', 'C++'].map(isGlob)).toEqual([false, false, false, false]);
  });
});

describe('namePattern', () => {
  it('tells why a pattern is refused', async () => {
    await expect(namePattern('(')).rejects.toThrow(GroveError);
    await expect(namePattern('(')).rejects.toThrow(/regular expression is not valid/);
    await expect(namePattern('(?=a)')).rejects.toThrow(GroveError);
    expect((await namePattern('a'.repeat(512)))('a'.repeat(512))).toBe(true);
    await expect(namePattern('a'.repeat(513))).rejects.toThrow(/longer than 512/);
  });
});
