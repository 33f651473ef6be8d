import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinearRegex } from './index.ts';

describe('a linear regex', () => {
  it('matches in UTF-16 offsets', () => {
    const text = '😀é needle 東 needle';
    const regex = new LinearRegex('needle');
    const pairs = regex.matches(text, 10);
    expect([...pairs]).toEqual([4, 10, 13, 19]);
    expect([...regex.matches(text, 1)]).toEqual([4, 10]);
    expect(regex.test('need')).toBe(false);
  });

  it('knows its flags', () => {
    expect(new LinearRegex('ÄB', { caseInsensitive: true }).test('äb')).toBe(true);
    expect(new LinearRegex('^b', { multiLine: true }).test('a\nb')).toBe(true);
    expect(new LinearRegex('^b').test('a\nb')).toBe(false);
    expect(new LinearRegex('a.b', { dotAll: true }).test('a\nb')).toBe(true);
  });

  it('gives groups by number and name', () => {
    const regex = new LinearRegex('(?<year>\\d{4})-(\\d\\d)(?<rest>x)?');
    expect(regex.captures('😀 2026-11', 0)).toEqual({
      start: 3,
      end: 10,
      groups: ['2026', '11', null],
      named: { year: '2026', rest: null },
    });
    expect(regex.captures('2026-11 2027-12', 1)?.start).toBe(8);
    expect(regex.captures('none')).toBeNull();
  });

  it.each([
    ['(a)(b)?', 'ab a', '[$2|$1|$&|$$|$3|$10|$x]'],
    ['(?<n>a)', 'banana', '<$<n>>'],
    ['', 'ab', '-'],
    ['a', 'aaa', ''],
    ['(.)(.)', 'abcd', '$02$01'],
    ['x', 'a', '$1'],
  ])('replaces %j in %j by %j as JavaScript does', async (pattern, text, replacement) => {
    const expected = text.replaceAll(new RegExp(pattern, 'gu'), replacement);
    const regex = new LinearRegex(pattern);
    expect(regex.replaceAll(text, replacement)).toBe(expected);
    expect(await regex.replaceAllAsync(text, replacement)).toBe(expected);
  });

  it('agrees with JavaScript on simple patterns over any text', () => {
    const pattern = fc
      .array(fc.constantFrom('a', 'b', '.', '[^a]', 'a+', 'b{1,2}', '(a|b)', '\\d', '😀', 'é'), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => parts.join(''));
    const text = fc
      .array(fc.constantFrom('a', 'b', '1', '😀', 'é', ' '), { maxLength: 30 })
      .map((list) => list.join(''));
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        const expected = [...subject.matchAll(new RegExp(source, 'gu'))].flatMap((match) => [
          match.index,
          match.index + match[0].length,
        ]);
        expect([...new LinearRegex(source).matches(subject, 1000)]).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses what it cannot run, with reason and position', () => {
    const make = (pattern: string) => () => new LinearRegex(pattern);
    expect(make('ab)')).toThrow(expect.objectContaining({ code: 'bad_regex', position: 2 }));
    expect(make('(a)\\1')).toThrow(expect.objectContaining({ code: 'bad_regex', position: 3 }));
    expect(make('(?!a)')).toThrow(expect.objectContaining({ code: 'bad_regex' }));
    expect(make('\\w{9999}{9999}')).toThrow(expect.objectContaining({ code: 'bad_regex' }));
  });

  it('runs patterns that hang a backtracking engine', async () => {
    const text = `${'a'.repeat(50_000)}!`;
    const regex = new LinearRegex('^(a+)+$');
    expect(regex.test(text)).toBe(false);
    expect([...(await regex.matchesAsync(text, 5))]).toEqual([]);
  });
});

describe('a large pattern', () => {
  const large = '\\w{12}';

  it('is compiled off the calling thread, which takes only small ones', async () => {
    expect(() => new LinearRegex(large)).toThrow(expect.objectContaining({ code: 'bad_regex' }));
    const regex = await LinearRegex.compile(large);
    expect(regex.test('w'.repeat(12))).toBe(true);
    expect(regex.test('w'.repeat(11))).toBe(false);
  });

  it('is refused by its code when it is wrong or too large', async () => {
    await expect(LinearRegex.compile('(a')).rejects.toMatchObject({ code: 'bad_regex' });
    await expect(LinearRegex.compile('\\w{1000}{1000}')).rejects.toMatchObject({ code: 'bad_regex' });
  });
});
