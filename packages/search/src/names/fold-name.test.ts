import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName, loosenName } from './fold-name.ts';

describe('foldName', () => {
  it.each([
    ['Meeting  Notes.md', 'meeting notes'],
    ['Cafe\u0301', 'Café'],
    ['ＧＲＯＶＥ', 'grove'],
    ['  Grove\t', 'grove'],
  ])('makes %j and %j one name', (a, b) => {
    expect(foldName(a)).toBe(foldName(b));
  });

  it('keeps names apart that differ in punctuation', () => {
    expect(foldName('real-time')).not.toBe(foldName('real time'));
  });
});

describe('loosenName', () => {
  it.each([
    ['real-time', 'Real_Time'],
    ['DIT-Content-Rules attribute', 'dit content rules attribute'],
    ['What, now?', 'what now'],
    ['Über', 'uber'],
  ])('makes %j and %j one name', (a, b) => {
    expect(loosenName(a)).toBe(loosenName(b));
  });

  it('keeps C, C++, C# and F# apart', () => {
    const names = ['C', 'C++', 'C#', 'F#', 'F'].map(loosenName);
    expect(new Set(names).size).toBe(5);
  });

  it('is null for a name without a letter or digit', () => {
    expect([loosenName('🚀'), loosenName('...'), loosenName('')]).toEqual([null, null, null]);
  });

  it('makes of plain names what it makes of all', () => {
    const sign = fc.constantFrom(
      ' ',
      '.',
      '.md',
      '.MD',
      '-',
      '_',
      'a',
      'B',
      '9',
      '~',
      '!',
      '"',
      '$',
      '*',
      ',',
    );
    const plain = fc.array(sign, { maxLength: 8 }).map((signs) => signs.join(''));
    fc.assert(
      fc.property(plain, (name) => {
        const loose = foldName(name)
          .replaceAll(/[^a-z0-9]+/g, ' ')
          .trim();
        expect(loosenName(name)).toBe(loose === '' ? null : loose);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is stable under itself and under case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const loose = loosenName(name);
        if (loose !== null) expect(loosenName(loose)).toBe(loose);
      }),
    );
  });
});
