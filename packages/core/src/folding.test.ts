import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coversTag, foldCase, foldTag, foldTitle } from './folding.ts';

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
    const unit = fc.constantFrom('a', 'B', ' ', '\t', '\n', '\u00a0', '\u2003', '\ufeff', 'é');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(foldTitle(text)).toBe(foldCase(text).split(/\s+/u).filter(Boolean).join(' '));
      }),
    );
  });
});

describe('tags', () => {
  it('compare without their marks, the slashes behind them and case', () => {
    expect(['#Area/Garden/', '##area/garden', 'AREA/GARDEN//'].map(foldTag)).toEqual(
      Array(3).fill('area/garden'),
    );
  });

  it('cover what is nested in them, and nothing that only begins alike', () => {
    expect(coversTag('ai', 'ai')).toBe(true);
    expect(coversTag('ai', 'ai/ml')).toBe(true);
    expect(coversTag('ai', 'aids')).toBe(false);
    expect(coversTag('ai/ml', 'ai')).toBe(false);
  });

  it('are folded in linear time, wherever their slashes stand', () => {
    expect(foldTag(`${'/'.repeat(200_000)}x`)).toHaveLength(200_001);
  });
});
