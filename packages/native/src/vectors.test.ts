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

/** A vector as integers of at most `most`, halves away from zero, in single precision. */
function integers(vector: Float32Array, most: number) {
  const largest = vector.reduce((so, number) => Math.max(so, Math.abs(number)), 0);
  const scale = Math.fround(largest / most) || 1;
  const whole = (number: number) => {
    const quotient = Math.fround(number / scale);
    return Math.sign(quotient) * Math.min(Math.round(Math.abs(quotient)), most);
  };
  return { numbers: Array.from(vector, whole), scale };
}

/** What a score is by definition: the product of the integers of both, in the scales of both. */
function score(query: Float32Array, all: Float32Array, row: number): number {
  const length = Math.ceil(query.length / 32) * 32;
  const left = integers(query, Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * length))));
  const right = integers(all.subarray(row * query.length, (row + 1) * query.length), 127);
  const product = left.numbers.reduce((sum, number, at) => sum + number * right.numbers[at]!, 0);
  return Math.fround(product * left.scale * right.scale);
}

/** The first of what is sorted, and what is as good as the last of them. */
function first<Found extends { score: number }>(sorted: readonly Found[], limit: number): Found[] {
  const last = sorted[limit - 1];
  return last === undefined ? [...sorted] : sorted.filter((found) => found.score >= last.score);
}

describe('a vector set', () => {
  it('answers as a comparison with every row does, to the last bit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          rows: fc.integer({ min: 1, max: 400 }),
          // Of one dimension many rows are equal.
          dimensions: fc.constantFrom(1, 3, 32, 50, 384, 1024),
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
          const scores = [...noteIds.keys()].map((at) => score(query, all, at));
          let expected = [...noteIds.keys()]
            .filter((at) => noteIds[at]! % 3 !== 1)
            .map((at) => ({ row: rowIds[at]!, note: noteIds[at]!, score: scores[at]! }))
            .sort((a, b) => b.score - a.score || a.note - b.note || a.row - b.row);
          if (perNote) {
            const seen = new Set<number>();
            expected = expected.filter(({ note }) => !seen.has(note) && seen.add(note));
          }
          expected = first(expected, limit);
          expect([...found.rows]).toEqual(expected.map(({ row }) => row));
          expect([...found.notes]).toEqual(expected.map(({ note }) => note));
          expect([...found.scores]).toEqual(expected.map((one) => one.score));
          const some = Uint32Array.from({ length: 5 }, (_, at) => at * 2);
          const best = await set.best(query, some);
          const ofNote = (note: number) =>
            [...noteIds.keys()]
              .filter((at) => noteIds[at] === note)
              .map((at) => ({ row: rowIds[at]!, score: scores[at]! }))
              .sort((a, b) => b.score - a.score || a.row - b.row)[0];
          expect([...best.rows]).toEqual([...some].map((note) => ofNote(note)?.row ?? 0xffffffff));
          expect([...best.scores]).toEqual([...some].map((note) => ofNote(note)?.score ?? Number.NaN));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is near to what the floats would say', async () => {
    const [rows, dimensions] = [300, 384];
    const all = vectors(rows, dimensions, 4);
    const query = vectors(1, dimensions, 5);
    const length = (of: Float32Array) => Math.hypot(...of);
    const set = new VectorSet(dimensions);
    const ids = Uint32Array.from({ length: rows }, (_, at) => at);
    await set.upsert(ids, ids, all);
    const { scores } = await set.best(query, ids);
    for (const at of ids) {
      const row = all.subarray(at * dimensions, (at + 1) * dimensions);
      const off = (scores[at]! - dot(query, all, at)) / (length(query) * length(row));
      expect(Math.abs(off)).toBeLessThan(0.003);
    }
  });

  it('holds about ten bits a dimension, and no more after its rows were replaced and removed', async () => {
    const [rows, dimensions] = [4096, 384];
    const set = new VectorSet(dimensions);
    const ids = Uint32Array.from({ length: rows }, (_, at) => at);
    for (const seed of [1, 2]) await set.upsert(ids, ids, vectors(rows, dimensions, seed));
    expect(set.bytes).toBeLessThan(rows * (dimensions * 1.25 + 80));
    set.remove(ids.subarray(10));
    const left = await set.search(vectors(1, dimensions, 3), { limit: rows, view: null });
    expect([...left.rows].sort((a, b) => a - b)).toEqual([...ids.subarray(0, 10)]);
    expect(set.size).toBe(10);
    expect(set.bytes).toBeLessThan(1024 * (dimensions * 1.25 + 80) + rows * 60);
  });

  it('finds the rows of a note after any changes', async () => {
    const change = fc.record({
      remove: fc.boolean(),
      row: fc.integer({ min: 0, max: 40 }),
      note: fc.integer({ min: 0, max: 6 }),
      value: fc.integer({ min: -5, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 200 }), async (changes) => {
        const set = new VectorSet(1);
        const kept = new Map<number, { row: number; note: number; value: number }>();
        for (const { remove, row, note, value } of changes) {
          if (remove) set.remove(Uint32Array.of(row));
          else void set.upsert(Uint32Array.of(row), Uint32Array.of(note), Float32Array.of(value));
          if (remove) kept.delete(row);
          else kept.set(row, { row, note, value });
        }
        const notes = Uint32Array.from({ length: 8 }, (_, at) => at);
        const { rows } = await set.best(Float32Array.of(1), notes);
        const best = (note: number) =>
          [...kept.values()]
            .filter((one) => one.note === note)
            .sort((a, b) => b.value - a.value || a.row - b.row)[0];
        expect([...rows]).toEqual([...notes].map((note) => best(note)?.row ?? 0xffffffff));
        expect(set.size).toBe(kept.size);
        expect([...Array(42).keys()].filter((row) => set.has(row))).toEqual(
          [...kept.keys()].sort((a, b) => a - b),
        );
      }),
      { numRuns: 100 },
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
    const best = [...ids].sort((a, b) => score(query, all, b) - score(query, all, a)).slice(0, 5);
    expect([...(await set.search(query, { limit: 5, view: null })).rows]).toEqual(best);
    const short = set.upsert(ids, ids.subarray(1), all);
    await expect(short).rejects.toMatchObject({ code: 'bad_argument' });
  });

  it('cuts between equal rows nowhere, however many there are', async () => {
    const set = new VectorSet(1);
    const rows = 5_000;
    const ids = Uint32Array.from({ length: rows }, (_, at) => at);
    await set.upsert(
      ids,
      ids.map((at) => at % 2_000),
      new Float32Array(rows).fill(1),
    );
    await set.upsert(Uint32Array.of(9_000, 9_001), Uint32Array.of(3, 3_000), Float32Array.of(2, 0.5));
    const query = Float32Array.of(1);
    expect([...(await set.search(query, { limit: 1, view: null })).rows]).toEqual([9_000]);
    const all = await set.search(query, { limit: 2, view: null });
    expect([...all.rows]).toEqual([9_000, ...[...ids].sort((a, b) => (a % 2_000) - (b % 2_000) || a - b)]);
    const notes = await set.search(query, { limit: 2, view: null, perNote: true });
    expect([...notes.notes]).toEqual([3, ...[...Array(2_000).keys()].filter((note) => note !== 3)]);
    expect([...notes.rows].slice(0, 4)).toEqual([9_000, 0, 1, 2]);
    expect((await set.search(query, { limit: 2_001, view: null, perNote: true })).notes.at(-1)).toBe(3_000);
  });

  it('searches many rows as a set of only the View would be searched, and finds nearly all that is near', async () => {
    const [notes, each, dimensions, limit] = [8_000, 3, 64, 50];
    const all = vectors(notes * each, dimensions, 21);
    const at = (row: number) => all.subarray(row * dimensions, (row + 1) * dimensions);
    const rows = [...Array(notes * each).keys()];
    const put = async (set: VectorSet, some: readonly number[]) => {
      const flat = new Float32Array(some.length * dimensions);
      for (const [place, row] of some.entries()) flat.set(at(row), place * dimensions);
      const noteOf = (row: number) => Math.floor(row / each);
      await set.upsert(Uint32Array.from(some), Uint32Array.from(some, noteOf), flat);
    };
    const seen = rows.filter((row) => Math.floor(row / each) % 4 !== 1);
    const [whole, apart] = [new VectorSet(dimensions), new VectorSet(dimensions)];
    await put(whole, rows);
    await put(apart, seen.toReversed());
    const view = IdSet.of(Uint32Array.from(seen, (row) => Math.floor(row / each)));
    let [found, wanted] = [0, 0];
    for (const seed of [31, 32, 33, 34]) {
      const query = vectors(1, dimensions, seed);
      const inView = await whole.search(query, { limit, view, perNote: true });
      expect(inView).toEqual(await apart.search(query, { limit, view: null, perNote: true }));
      const byRow = await whole.search(query, { limit, view });
      expect(byRow).toEqual(await apart.search(query, { limit, view: null }));
      const nearest = seen
        .map((row) => ({ row, score: score(query, all, row) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, limit);
      wanted += limit;
      found += nearest.filter(({ row }) => byRow.rows.includes(row)).length;
    }
    expect(found / wanted).toBeGreaterThan(0.99);
  });

  it('gives notes that are near in either of two sets, with the mean of both', async () => {
    const [heads, parts] = [new VectorSet(1), new VectorSet(1)];
    await heads.upsert(Uint32Array.of(1, 2), Uint32Array.of(7, 8), Float32Array.of(1, 0.25));
    await parts.upsert(Uint32Array.of(3, 4, 5), Uint32Array.of(7, 7, 9), Float32Array.of(0.25, 0.5, 2));
    const query = Float32Array.of(1);
    const both = await heads.nearest(parts, query, { limit: 1, view: null });
    expect(both).toEqual({ notes: Uint32Array.of(7, 9), scores: Float32Array.of(0.75, 2) });
    const seen = await heads.nearest(parts, query, { limit: 9, view: IdSet.of(Uint32Array.of(7, 8)) });
    expect(seen).toEqual({ notes: Uint32Array.of(7, 8), scores: Float32Array.of(0.75, 0.25) });
    const means = await heads.means(parts, query, Uint32Array.of(9, 5, 7));
    expect([...means]).toEqual([2, Number.NaN, 0.75]);
    const itself = heads.nearest(heads, query, { limit: 1, view: null });
    await expect(itself).rejects.toMatchObject({ code: 'bad_argument' });
  });

  it('says of a note of very many rows what it says of each of them', async () => {
    const [many, dimensions] = [9_000, 8];
    const [heads, parts] = [new VectorSet(dimensions), new VectorSet(dimensions)];
    const all = vectors(many, dimensions, 5);
    const rows = Uint32Array.from({ length: many }, (_, at) => at);
    await parts.upsert(rows, new Uint32Array(many).fill(7), all);
    await heads.upsert(Uint32Array.of(1, 2), Uint32Array.of(7, 8), vectors(2, dimensions, 6));
    const query = vectors(1, dimensions, 7);
    const best = Math.max(...Array.from(rows, (row) => score(query, all, row)));
    expect((await parts.best(query, Uint32Array.of(7))).scores).toEqual(Float32Array.of(best));
    const [head, other] = (await heads.best(query, Uint32Array.of(7, 8))).scores;
    expect(await heads.means(parts, query, Uint32Array.of(8, 7))).toEqual(
      Float32Array.of(other!, (head! + best) / 2),
    );
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
