import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reciprocalRank } from './fuse.ts';

describe('reciprocalRank', () => {
  it('puts first what several lists found', () => {
    expect(
      reciprocalRank([
        ['a', 'b'],
        ['c', 'b'],
      ]).map(({ key }) => key),
    ).toEqual(['b', 'a', 'c']);
    expect(reciprocalRank([['a', 'b'], ['b']])[0]).toEqual({ key: 'b', score: 1 / 62 + 1 / 61 });
  });

  it('orders equal scores by key, whatever the order of the lists', () => {
    expect(reciprocalRank([['b'], ['a']])).toEqual(reciprocalRank([['a'], ['b']]));
  });

  it('holds every key once, best first', () => {
    const list = fc.uniqueArray(fc.string({ maxLength: 2 }));
    fc.assert(
      fc.property(fc.array(list, { maxLength: 4 }), (lists) => {
        const entries = reciprocalRank(lists);
        expect(new Set(entries.map(({ key }) => key))).toEqual(new Set(lists.flat()));
        expect(entries.length).toBe(new Set(lists.flat()).size);
        expect(entries.map(({ score }) => score)).toEqual(
          entries.map(({ score }) => score).sort((a, b) => b - a),
        );
      }),
    );
  });
});
