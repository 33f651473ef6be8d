import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from './glob.ts';
import { expandChoices } from './glob-choices.ts';

/** The definition, by trying everything: slow and plain. */
function defined(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === '**') return defined(rest, path) || (path.length > 0 && defined(pattern, path.slice(1)));
  return path.length > 0 && segment([...first], [...path[0]!]) && defined(rest, path.slice(1));
}

function segment(pattern: readonly string[], name: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return name.length === 0;
  if (first === '*') return segment(rest, name) || (name.length > 0 && segment(pattern, name.slice(1)));
  return (first === name[0] || (first === '?' && name.length > 0)) && segment(rest, name.slice(1));
}

describe('compileGlob', () => {
  it('matches as its definition says', () => {
    const letter = fc.constantFrom('a', 'b', '🌳', '.');
    const special = fc.constantFrom('*', '?');
    const name = fc.array(letter, { minLength: 1, maxLength: 6 }).map((letters) => letters.join(''));
    const wild = fc
      .array(fc.oneof(letter, special), { minLength: 1, maxLength: 6 })
      .map((letters) => letters.join('').replaceAll(/\*+/g, '*'));
    const glob = fc.array(fc.oneof(wild, fc.constant('**')), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(glob, fc.array(name, { minLength: 1, maxLength: 5 }), (pattern, path) => {
        expect(compileGlob(pattern.join('/'), { questionMarks: true })(path.join('/'))).toBe(
          defined(pattern, path),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes a question mark for itself unless told', () => {
    expect(['a?', 'ab'].map(compileGlob('a?'))).toEqual([true, false]);
  });
});

describe('expandChoices', () => {
  it.each([
    ['a/*.md', ['a/*.md']],
    ['{a,b}/c', ['a/c', 'b/c']],
    ['{a,b}{1,2}', ['a1', 'a2', 'b1', 'b2']],
    ['{a,{b,c}}', ['a', 'b', 'a', 'c']],
    ['{a,}b', ['ab', 'b']],
    ['{a}, {b', ['{a}, {b']],
    ['**/a', ['**/a']],
    ['a/**', ['a/**']],
    ['**.md', ['*.md', '*/**/*.md']],
    ['a**b', ['a*b', 'a*/**/*b']],
  ])('makes of %j: %j', (glob, globs) => expect(expandChoices(glob, 20)).toEqual(globs));

  it('stops at the most that is wanted', () => {
    expect(expandChoices('{a,b}'.repeat(200), 64)).toBeNull();
    expect(expandChoices('{a,b}'.repeat(6), 64)).toHaveLength(64);
    expect(expandChoices(`{${'a,'.repeat(64)}a}`, 64)).toBeNull();
  });
});
