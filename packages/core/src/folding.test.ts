import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCase, foldTitle } from './folding.ts';

describe('foldCase', () => {
  it('makes spellings of one text equal', () => {
    expect(foldCase('CAFE\u0301.md')).toBe(foldCase('caf\u00e9.MD'));
    expect(foldCase('ΣΑΣ')).toBe(foldCase('Σας'));
    expect(foldCase('a b')).not.toBe(foldCase('a  b'));
  });

  it('changes nothing that is folded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(foldCase(foldCase(text))).toBe(foldCase(text));
      }),
    );
  });
});

describe('foldTitle', () => {
  it('collapses white space of every kind', () => {
    expect(foldTitle(' My\u00a0 \tPlan\n')).toBe('my plan');
  });
});
