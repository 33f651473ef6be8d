import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAt, fillPage, jsonBytes } from './size.ts';

describe('cutAt', () => {
  it('ends at a line when one ends near', () => {
    const text = 'one\ntwo\nthree\nfour';
    expect(text.slice(0, cutAt(text, 0, 10, 100))).toBe('one\ntwo\n');
    expect(cutAt(text, 0, 100, 100)).toBe(text.length);
  });

  it('never cuts a character, however it is made', () => {
    const family = '👨‍👩‍👧‍👦';
    const text = family.repeat(10);
    const end = cutAt(text, 0, 60, 1000);
    expect(end % family.length).toBe(0);
    expect(end).toBeGreaterThan(0);
  });

  it('keeps both budgets, goes on, and leaves nothing out', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\n', '"', '\u0000', 'é', '漢字', '🙂')),
        ),
        fc.integer({ min: 40, max: 200 }),
        (parts, budget) => {
          const text = parts.join('');
          let at = 0;
          let whole = '';
          while (at < text.length) {
            const end = cutAt(text, at, budget, budget * 2);
            expect(end).toBeGreaterThan(at);
            const part = text.slice(at, end);
            expect(part.isWellFormed()).toBe(true);
            expect(Buffer.byteLength(part)).toBeLessThanOrEqual(budget);
            expect(jsonBytes(part) - 2).toBeLessThanOrEqual(budget * 2);
            whole += part;
            at = end;
          }
          expect(whole).toBe(text);
        },
      ),
    );
  });
});

describe('fillPage', () => {
  it('takes what fits, and always one', () => {
    expect(fillPage(['aaaa', 'bbbb', 'cccc'], 14)).toEqual({ items: ['aaaa', 'bbbb'], full: true });
    expect(fillPage(['a long one', 'b'], 3)).toEqual({ items: ['a long one'], full: true });
    expect(fillPage([], 3)).toEqual({ items: [], full: false });
  });
});
