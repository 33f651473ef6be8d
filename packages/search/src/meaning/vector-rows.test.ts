import { IdSet } from '@grove/native';
import { describe, expect, it } from 'vitest';
import { keyOf } from './meaning-texts.ts';
import { VectorRows } from './vector-rows.ts';

/** Rows of one head a note, whose cosines with `[1, 0]` are these. */
async function rowsWith(cosines: readonly number[]): Promise<VectorRows> {
  const rows = new VectorRows(2);
  await rows.put(() =>
    cosines.map((cosine, note) => ({
      row: note,
      note,
      key: keyOf(String(note)),
      isHead: true,
      vector: Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2)),
    })),
  );
  return rows;
}

async function found(rows: VectorRows, size: number, limit: number): Promise<number[]> {
  const view = IdSet.of(Uint32Array.from({ length: size }, (_, note) => note));
  const hits = await rows.search(Float32Array.of(1, 0), { view, filter: null, limit });
  return hits.map(({ note }) => note).sort((a, b) => a - b);
}

describe('the vectors in memory', () => {
  it('leave out none that is level with the last that is found', async () => {
    const level = await rowsWith(Array.from({ length: 2000 }, () => 0.5));
    expect(await found(level, 2000, 10)).toHaveLength(2000);
    // Half of them are nearer: the others are not needed.
    const halves = await rowsWith(Array.from({ length: 2000 }, (_, note) => (note % 2 === 0 ? 0.4 : 0.9)));
    expect(await found(halves, 2000, 10)).toEqual(Array.from({ length: 1000 }, (_, at) => at * 2 + 1));
  });

  it('give as many as are asked for, when there are', async () => {
    const rows = await rowsWith(Array.from({ length: 2000 }, (_, note) => 0.75 + note / 10_000));
    const nearest = await found(rows, 2000, 1000);
    expect(nearest).toHaveLength(1000);
    expect(nearest[0]).toBe(1000);
  });

  it('take the parts that an index gives, within the View alone and with their own scores', async () => {
    const rows = await rowsWith(Array.from({ length: 2000 }, (_, note) => 0.75 + note / 10_000));
    const view = IdSet.of(Uint32Array.of(3, 5, 1999));
    const search = async (filter: IdSet | null, given: readonly number[] | null) => {
      const among = { view, filter, limit: 1 };
      const hits = await rows.search(Float32Array.of(1, 0), among, () => Promise.resolve(given));
      return hits.toSorted((a, b) => a.note - b.note);
    };
    const exact = await search(null, null);
    expect(exact).toHaveLength(3);
    // 4 is hidden, 7000 has no vector.
    expect(await search(null, [4, 3, 7000])).toEqual(exact);
    expect(await search(IdSet.of(Uint32Array.of(5)), [3, 1999])).toEqual(
      exact.filter(({ note }) => note === 5),
    );
  });

  it('are there until they are removed', async () => {
    const rows = await rowsWith([0.8, 0.9]);
    expect([0, 1, 2].map((row) => rows.has(row))).toEqual([true, true, false]);
    await rows.remove([0]);
    expect([rows.has(0), rows.size]).toEqual([false, 1]);
    await rows.clear();
    expect([rows.has(1), rows.size, rows.bytes]).toEqual([false, 0, 0]);
  });
});
