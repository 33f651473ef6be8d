import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ScoredList, zFusion } from './z-fusion.ts';

const words = (...scores: [string, number][]): ScoredList => ({
  kind: 'words',
  entries: scores.map(([key, score]) => ({ key, score })),
});
const meaning = (all: Record<string, number>, reach = Object.keys(all).length): ScoredList => ({
  kind: 'meaning',
  entries: Object.entries(all)
    .map(([key, score]) => ({ key, score }))
    .slice(0, reach),
  scoreOf: (key) => all[key] ?? null,
});
const order = (...lists: ScoredList[]) => zFusion(lists, 1000).map(({ key }) => key);

describe('zFusion', () => {
  it('keeps the order of one list', () => {
    expect(order(words(['b', 9], ['a', 4], ['c', 1]))).toEqual(['b', 'a', 'c']);
    expect(order(meaning({ b: 0.9, a: 0.4 }))).toEqual(['b', 'a']);
  });

  it('leaves the order to the meaning where no word matches, and to the words where there are no vectors', () => {
    expect(order(words(), meaning({ b: 0.9, a: 0.4 }))).toEqual(['b', 'a']);
    expect(order(words(['a', 3], ['b', 1]), meaning({}))).toEqual(['a', 'b']);
  });

  it('gives a note that only words found its true cosine', () => {
    const lex = words(['near', 5], ['far', 5]);
    const vec = meaning({ first: 0.9, second: 0.5, near: 0.4, far: -0.5 }, 2);
    const found = order(lex, vec);
    expect(found.indexOf('near')).toBeLessThan(found.indexOf('far'));
  });

  it('gives a note that only its meaning found the least score of the words', () => {
    const full = words(...Array.from({ length: 300 }, (_, at): [string, number] => [`w${at}`, 400 - at]));
    const scores = new Map(
      zFusion([full, meaning({ m: 0.5, w299: 0.5 })], 1000).map(({ key, score }) => [key, score]),
    );
    expect(scores.get('m')).toBe(scores.get('w299'));
  });

  it('gives words and meaning a half each, however many lists they are', () => {
    const lex = words(['a', 9], ['b', 1]);
    const vec = meaning({ b: 0.9, a: 0.1, c: 0 });
    expect(zFusion([lex, vec, vec], 9)).toEqual(zFusion([lex, vec], 9));
  });

  it('orders equal scores by key and never gives a score that is no number', () => {
    expect(order(words(['b', 1], ['a', 1]))).toEqual(['a', 'b']);
    const list = fc
      .uniqueArray(
        fc.tuple(fc.string({ minLength: 1, maxLength: 2 }), fc.double({ min: 0, max: 50, noNaN: true })),
        {
          selector: ([key]) => key,
          maxLength: 400,
        },
      )
      .map((scores) => scores.sort((a, b) => b[1] - a[1]));
    fc.assert(
      fc.property(list, list, (lex, vec) => {
        const fused = zFusion([words(...lex), meaning(Object.fromEntries(vec), 300)], 1000);
        const top = [...lex.slice(0, 300), ...vec.slice(0, 300)].map(([key]) => key);
        expect(new Set(fused.map(({ key }) => key))).toEqual(new Set(top));
        for (const { score } of fused) expect(Number.isFinite(score)).toBe(true);
      }),
    );
  });
});
