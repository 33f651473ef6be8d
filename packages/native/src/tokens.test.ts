import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokens } from './index.ts';

describe('tokens', () => {
  it.each([
    ['Running quickly', ['running', 'quickly'], ['run', 'quick']],
    ['Real-time GB/s don’t v1.0.21', ['real', 'time', 'gb', 's', 'don', 't', 'v1', '0', '21'], null],
    ['C++ c# F#, a+b Note#^id', ['c++', 'c#', 'f#', 'a', 'b', 'note', 'id'], null],
    ['Café CAFE\u0301 ＷＩＤＥ ﬁne Straße', ['cafe', 'cafe', 'wide', 'fine', 'strasse'], null],
    ['книгами Ёлкой й', ['книгами', 'елкой', 'й'], ['книг', 'елк', 'й']],
    ['φορολογούμενε', ['φορολογουμενε'], ['φορολογουμεν']],
    ['東京都に行く', ['東京', '京都', '都に', 'に行', '行く'], null],
    ['日', ['日'], ['日']],
    ['한국어 ภาษา ﾊﾞｽ', ['한국', '국어', 'ภา', 'าษ', 'ษา', 'バス'], null],
    ['हिन्दी', ['हिन्दी'], null],
    ['-- !! 😀', [], []],
    ['\0a\0', ['a'], ['a']],
  ])('%j', (text, exact, stemmed) => {
    expect(tokens(text, true)).toEqual(exact);
    if (stemmed !== null) expect(tokens(text, false)).toEqual(stemmed);
  });

  it('cuts long words at 64 bytes, never inside a character', () => {
    expect(tokens('x'.repeat(300_000), true)).toEqual(['x'.repeat(64)]);
    expect(tokens('ж'.repeat(1000), true)).toEqual(['ж'.repeat(32)]);
  });

  it('reads any text, the same words in both forms', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const exact = tokens(text, true);
        expect(tokens(text, false)).toHaveLength(exact.length);
        for (const token of exact) expect(Buffer.byteLength(token)).toBeLessThanOrEqual(66);
      }),
      { numRuns: 2000 },
    );
  });

  it('finds its own words again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
        for (const token of tokens(text, true))
          if (/^[a-z0-9]+$/.test(token)) expect(tokens(token, true)).toEqual([token]);
      }),
    );
  });
});
