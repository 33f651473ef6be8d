import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdSet, VectorSet } from './index.ts';

/** Numbers that are the same in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}

function vectors(count: number, dimensions: number, seed: number): Float32Array {
  const next = random(seed);
  return Float32Array.from({ length: count * dimensions }, next);
}

const dot = (query: Float32Array, all: Float32Array, row: number) => {
  let sum = 0;
  for (let at = 0; at < query.length; at++) sum += query[at]! * all[row * query.length + at]!;
  return sum;
};

describe('a vector set', () => {
  it('answers as a comparison with every row does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          rows: fc.integer({ min: 1, max: 400 }),
          dimensions: fc.constantFrom(1, 3, 32, 50, 384),
          seed: fc.nat(),
          limit: fc.integer({ min: 1, max: 30 }),
          perNote: fc.boolean(),
          notes: fc.integer({ min: 1, max: 50 }),
        }),
        async ({ rows, dimensions, seed, limit, perNote, notes }) => {
          const all = vectors(rows, dimensions, seed);
          const query = vectors(1, dimensions, seed + 1);
          const rowIds = Uint32Array.from({ length: rows }, (_, at) => at * 3 + 1);
          const noteIds = Uint32Array.from({ length: rows }, (_, at) => at % notes);
          const set = new VectorSet(dimensions);
          await set.upsert(rowIds, noteIds, all);
          const view = IdSet.of(
            Uint32Array.from({ length: notes }, (_, at) => at).filter((at) => at % 3 !== 1),
          );
          const found = await set.search(query, { limit, view, perNote });
          let expected = [...noteIds.keys()]
            .filter((at) => noteIds[at]! % 3 !== 1)
            .map((at) => ({ row: rowIds[at]!, note: noteIds[at]!, score: dot(query, all, at) }))
            .sort((a, b) => b.score - a.score || a.note - b.note || a.row - b.row);
          if (perNote) {
            const seen = new Set<number>();
            expected = expected.filter(({ note }) => !seen.has(note) && seen.add(note));
          }
          expected = expected.slice(0, limit);
          expect([...found.rows]).toEqual(expected.map(({ row }) => row));
          expect([...found.notes]).toEqual(expected.map(({ note }) => note));
          for (const [at, { score }] of expected.entries()) expect(found.scores[at]).toBeCloseTo(score, 5);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('sees changes in the order they were called', async () => {
    const set = new VectorSet(2);
    const one = (x: number, y: number) => Float32Array.of(x, y);
    const writes = [set.upsert(Uint32Array.of(1, 2), Uint32Array.of(10, 20), Float32Array.of(1, 0, 0, 1))];
    set.remove(Uint32Array.of(1, 99));
    writes.push(set.upsert(Uint32Array.of(3), Uint32Array.of(30), one(0.5, 0)));
    writes.push(set.upsert(Uint32Array.of(2), Uint32Array.of(21), one(0.25, 0)));
    expect(set.size).toBe(2);
    expect(await set.search(one(1, 0), { limit: 9, view: null })).toEqual({
      rows: Uint32Array.of(3, 2),
      notes: Uint32Array.of(30, 21),
      scores: Float32Array.of(0.5, 0.25),
    });
    set.remove(Uint32Array.of(3));
    expect(set.size).toBe(1);
    expect((await set.search(one(1, 0), { limit: 9, view: null })).rows).toEqual(Uint32Array.of(2));
    await Promise.all(writes);
    expect(set.bytes).toBeGreaterThan(0);
  });

  it('takes many rows at once', async () => {
    const rows = 2000;
    const set = new VectorSet(5);
    const all = vectors(rows, 5, 9);
    const ids = Uint32Array.from({ length: rows }, (_, at) => at);
    await set.upsert(ids, ids, all);
    expect(set.size).toBe(rows);
    const query = vectors(1, 5, 10);
    const best = [...ids].sort((a, b) => dot(query, all, b) - dot(query, all, a)).slice(0, 5);
    expect([...(await set.search(query, { limit: 5, view: null })).rows]).toEqual(best);
    const short = set.upsert(ids, ids.subarray(1), all);
    await expect(short).rejects.toMatchObject({ code: 'bad_argument' });
  });

  it('breaks ties by note, then row', async () => {
    const set = new VectorSet(1);
    await set.upsert(Uint32Array.of(5, 4, 3, 2), Uint32Array.of(1, 2, 1, 2), Float32Array.of(1, 1, 1, 1));
    const query = Float32Array.of(1);
    expect([...(await set.search(query, { limit: 3, view: null })).rows]).toEqual([3, 5, 2]);
    expect([...(await set.search(query, { limit: 3, view: null, perNote: true })).rows]).toEqual([3, 2]);
  });

  it('gives the best row of given notes', async () => {
    const set = new VectorSet(1);
    await set.upsert(Uint32Array.of(1, 2, 3), Uint32Array.of(7, 7, 8), Float32Array.of(0.1, 0.9, 0.5));
    const { rows, scores } = await set.best(Float32Array.of(1), Uint32Array.of(8, 9, 7, 8));
    expect([...rows]).toEqual([3, 0xffffffff, 2, 3]);
    expect([...scores].map((score) => score.toFixed(1))).toEqual(['0.5', 'NaN', '0.9', '0.5']);
  });

  it('has answers for the empty and the zero', async () => {
    const set = new VectorSet(3);
    const zero = new Float32Array(3);
    const none = { rows: new Uint32Array(), notes: new Uint32Array(), scores: new Float32Array() };
    expect(await set.search(zero, { limit: 5, view: null })).toEqual(none);
    await set.upsert(Uint32Array.of(1), Uint32Array.of(1), zero);
    expect((await set.search(zero, { limit: 5, view: null })).scores).toEqual(Float32Array.of(0));
    expect(await set.search(zero, { limit: 0, view: null })).toEqual(none);
    expect(await set.search(zero, { limit: 5, view: IdSet.of(new Uint32Array()) })).toEqual(none);
  });

  it('refuses what does not fit', async () => {
    const set = new VectorSet(2);
    const bad = { code: 'bad_argument' };
    expect(() => new VectorSet(0)).toThrow(expect.objectContaining(bad));
    await expect(set.upsert(Uint32Array.of(1), Uint32Array.of(1), new Float32Array(3))).rejects.toMatchObject(
      bad,
    );
    await expect(set.upsert(Uint32Array.of(1), Uint32Array.of(), new Float32Array(2))).rejects.toMatchObject(
      bad,
    );
    const infinite = Float32Array.of(1, Number.POSITIVE_INFINITY);
    await expect(set.upsert(Uint32Array.of(1), Uint32Array.of(1), infinite)).rejects.toMatchObject(bad);
    await expect(set.search(new Float32Array(3), { limit: 1, view: null })).rejects.toMatchObject(bad);
    expect(set.size).toBe(0);
  });
});
