import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addedRanges } from './added-ranges.ts';

const added = (before: string | null, after: string): string[] =>
  addedRanges(before, after).map(({ start, end }) => after.slice(start, end));

describe('what a text holds that another did not', () => {
  it.each<[string | null, string, string[]]>([
    [null, 'all of it\n', ['all of it\n']],
    [null, '', []],
    ['a\nb\n', 'a\nb\n', []],
    ['a\nb\n', 'a\n', []],
    ['a\nb\n', 'a\nc d\nb\n', ['c d\n']],
    ['one word here\n', 'one new word here\n', ['new ']],
    ['a\nb\nc\n', 'x\nb\nz\n', ['x\n', 'z']],
    ['\nb', '\nb\nc', ['\nc']],
    ['b', '\nb', ['\n']],
    ['- a\n', '- a\n- a\n', ['- a\n']],
  ])('%j, then %j', (before, after, ranges) => {
    expect(added(before, after)).toEqual(ranges);
  });

  it('is apart, in order and inside the text, and is nothing where the text is the same', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r\n', '🌲') });
    fc.assert(
      fc.property(text, text, (before, after) => {
        let at = 0;
        for (const { start, end } of addedRanges(before, after)) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(at).toBeLessThanOrEqual(after.length);
        expect(addedRanges(after, after)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});
