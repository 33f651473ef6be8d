import { copyFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@grove/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VECTOR_KEY_BYTES, VectorSet } from './index.ts';

const DIMENSIONS = 40;
/** More than two blocks. */
const ROWS = 2_500;

const rows = Uint32Array.from({ length: ROWS }, (_, at) => at * 2 + 1);
const notes = rows.map((row) => row % 700);
const keys = (salt: number) =>
  Uint8Array.from({ length: ROWS * VECTOR_KEY_BYTES }, (_, at) =>
    at % VECTOR_KEY_BYTES < 2
      ? rows[Math.floor(at / VECTOR_KEY_BYTES)]! >> (8 * (at % VECTOR_KEY_BYTES))
      : salt,
  );
const vectors = Float32Array.from({ length: ROWS * DIMENSIONS }, (_, at) => Math.sin(at * at));
const query = Float32Array.from({ length: DIMENSIONS }, (_, at) => Math.cos(at));
const nearest = async (set: VectorSet) => await set.search(query, { limit: 50, view: null });

describe('rows in a file', () => {
  const { path: folder, remove } = makeFolder('rows');
  let path: string;
  let set: VectorSet;
  beforeAll(async () => {
    path = join(folder, 'rows');
    set = new VectorSet(DIMENSIONS);
    await set.upsert(rows, notes, vectors, keys(1));
    set.remove(rows.subarray(5, 9));
    await set.save(path, 'model');
  });
  afterAll(remove);

  it('are what they were', async () => {
    const again = new VectorSet(DIMENSIONS);
    expect(await again.load(path, 'model')).toBe(true);
    expect(await nearest(again)).toEqual(await nearest(set));
    const some = Uint32Array.of(1, 3, 699, 5_000);
    expect(await again.sums(some)).toEqual(await set.sums(some));
    expect([again.size, again.bytes > 0]).toEqual([ROWS - 4, true]);
    expect([...rows].filter((row) => again.has(row))).toEqual([...rows].filter((row) => set.has(row)));
    expect(readdirSync(folder)).toEqual(['rows']);
    // Such a set is changed and written like any other.
    again.remove(rows.subarray(0, 2_000));
    await again.save(path, 'model');
    const less = new VectorSet(DIMENSIONS);
    expect(await less.load(path, 'model')).toBe(true);
    expect(await nearest(less)).toEqual(await nearest(again));
    await set.save(path, 'model');
  });

  it('are read whole and as they were written, or not at all', async () => {
    const copy = join(folder, 'copy');
    const bytes = readFileSync(path);
    const read = async (label = 'model', dimensions = DIMENSIONS) => {
      const other = new VectorSet(dimensions);
      const isRead = await other.load(copy, label);
      expect(other.size > 0).toBe(isRead);
      return isRead;
    };
    expect(await read()).toBe(false);
    copyFileSync(path, copy);
    expect([await read(), await read('another'), await read('model', 41)]).toEqual([true, false, false]);
    const places = [0, 7, 8, 12, 16, 21, 24, 60, 70_000, bytes.length - 6, bytes.length - 1];
    for (const place of places) {
      const damaged = Buffer.from(bytes);
      damaged[place]! ^= 0x10;
      writeFileSync(copy, damaged);
      expect(await read(), `byte ${place}`).toBe(false);
    }
    for (const length of [0, 5, 20, 30_000, bytes.length - 5, bytes.length - 1]) {
      copyFileSync(path, copy);
      truncateSync(copy, length);
      expect(await read(), `${length} bytes`).toBe(false);
    }
    rmSync(copy);
  });

  it('keep those whose note and key are still the same', async () => {
    const again = new VectorSet(DIMENSIONS);
    await again.load(path, 'model');
    const asked = Uint32Array.of(rows[0]!, rows[1]!, rows[2]!, rows[5]!, 2);
    const asNotes = Uint32Array.of(notes[0]!, notes[1]!, 699, notes[5]!, 1);
    const asKeys = Uint8Array.from(keys(1).subarray(0, 5 * VECTOR_KEY_BYTES));
    asKeys[VECTOR_KEY_BYTES + 3] = 9;
    asKeys.set(keys(1).subarray(5 * VECTOR_KEY_BYTES, 6 * VECTOR_KEY_BYTES), 3 * VECTOR_KEY_BYTES);
    // Another text, another note, a row that was removed, one that never was.
    expect([...(await again.retain(asked, asNotes, asKeys))]).toEqual([1, 2, 3, 4]);
    expect([again.size, again.has(rows[0]!), again.has(rows[1]!)]).toEqual([1, true, false]);
    expect([...(await nearest(again)).rows]).toEqual([rows[0]]);
  });

  it('are refused where they cannot be', async () => {
    await expect(set.save(join(folder, 'none', 'rows'), 'model')).rejects.toMatchObject({
      code: 'snapshot_failed',
    });
    await expect(set.load(path, 'model')).rejects.toMatchObject({ code: 'bad_argument' });
    const short = set.upsert(rows.subarray(0, 2), notes.subarray(0, 2), vectors.subarray(0, 80), keys(1));
    await expect(short).rejects.toMatchObject({ code: 'bad_argument' });
  });
});

describe('the sums of notes', () => {
  it('are those of their rows, in whichever order these came', async () => {
    const inOrder = new VectorSet(DIMENSIONS);
    await inOrder.upsert(rows, notes, vectors, keys(1));
    const backwards = new VectorSet(DIMENSIONS);
    for (let at = ROWS - 1; at >= 0; at--) {
      const key = keys1.subarray(at * VECTOR_KEY_BYTES, (at + 1) * VECTOR_KEY_BYTES);
      const vector = vectors.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS);
      // Numbers say nothing: these are others.
      void backwards.upsert(Uint32Array.of(at), notes.subarray(at, at + 1), vector, key);
    }
    const some = Uint32Array.of(1, 699, 5_000);
    const { sums, counts } = await inOrder.sums(some);
    expect(await backwards.sums(some)).toEqual({ sums, counts });
    expect([...counts]).toEqual([...some].map((note) => notes.filter((of) => of === note).length));
    for (const [place, note] of some.entries())
      for (let at = 0; at < DIMENSIONS; at++) {
        const wanted = notes.reduce(
          (sum, of, row) => (of === note ? sum + vectors[row * DIMENSIONS + at]! : sum),
          0,
        );
        expect(sums[place * DIMENSIONS + at]).toBeCloseTo(wanted, 1);
      }
  });

  const keys1 = keys(1);
});
