import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredVector, VectorStore } from '@grove/search';
import { makeFolder } from '@grove/testing';
import { afterEach, describe, expect, it } from 'vitest';

const DIMENSIONS = 24;

/** A vector that `seed` alone decides. */
export function vectorOf(seed: number, dimensions = DIMENSIONS): Float32Array {
  return Float32Array.from({ length: dimensions }, (_, at) => Math.sin(seed * 31 + at));
}

/** What every store of vectors keeps to. */
export function describeVectorStore(
  name: string,
  open: (dir: string, dimensions: number) => Promise<VectorStore>,
): void {
  describe(name, () => {
    const closing: (() => Promise<void> | void)[] = [];
    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close();
    });

    async function opened(dir = newFolder(), dimensions = DIMENSIONS) {
      const store = await open(dir, dimensions);
      closing.push(() => store.close());
      return { store, dir };
    }

    function newFolder(): string {
      const folder = makeFolder('vectors');
      closing.push(() => folder.remove());
      return join(folder.path, 'store');
    }

    async function all(store: VectorStore): Promise<Map<string, Float32Array>> {
      const found: StoredVector[] = [];
      for await (const part of store.read()) found.push(...part);
      expect(new Set(found.map(({ key }) => key)).size).toBe(found.length);
      return new Map(found.map(({ key, vector }) => [key, vector]));
    }

    it('gives back what was put, to the last bit, after it was closed too', async () => {
      const { store, dir } = await opened();
      await store.put([
        { key: 'a_-1', vector: vectorOf(1) },
        { key: 'b', vector: vectorOf(2) },
      ]);
      expect(await all(store)).toEqual(
        new Map([
          ['a_-1', vectorOf(1)],
          ['b', vectorOf(2)],
        ]),
      );
      await store.close();
      const again = await opened(dir);
      expect(await again.store.get(['b', 'missing', 'b'])).toEqual([{ key: 'b', vector: vectorOf(2) }]);
    });

    it('has each key once after fifty calls at the same time', async () => {
      const { store } = await opened();
      const calls = Array.from({ length: 50 }, (_, call) =>
        store.put([0, 1, 2].map((at) => ({ key: `k${(call + at) % 5}`, vector: vectorOf(call) }))),
      );
      await Promise.all(calls);
      expect([...(await all(store)).keys()].sort()).toEqual(['k0', 'k1', 'k2', 'k3', 'k4']);
    });

    it('takes the last of two vectors with one key', async () => {
      const { store } = await opened();
      await store.put([
        { key: 'a', vector: vectorOf(1) },
        { key: 'a', vector: vectorOf(2) },
      ]);
      await store.put([{ key: 'a', vector: vectorOf(3) }]);
      expect(await all(store)).toEqual(new Map([['a', vectorOf(3)]]));
    });

    it('removes what is there and passes over what is not', async () => {
      const { store } = await opened();
      await store.put(['a', 'b', 'c'].map((key, at) => ({ key, vector: vectorOf(at) })));
      await store.remove(['b', 'x', "x' OR '1'='1"]);
      expect([...(await all(store)).keys()].sort()).toEqual(['a', 'c']);
    });

    it('reads thousands of vectors in parts', async () => {
      const { store } = await opened();
      const vectors = Array.from({ length: 3_000 }, (_, at) => ({ key: `k${at}`, vector: vectorOf(at) }));
      await store.put(vectors);
      expect((await all(store)).get('k2999')).toEqual(vectorOf(2999));
      expect(await store.get(vectors.map(({ key }) => key))).toHaveLength(3_000);
    });

    it('stays small over many single writes that are compacted now and then', async () => {
      const { store, dir } = await opened();
      for (let at = 0; at < 150; at += 1) {
        await store.put([{ key: `k${at % 20}`, vector: vectorOf(at) }]);
        if (at % 25 === 24) await store.compact();
      }
      await store.compact();
      expect((await all(store)).size).toBe(20);
      expect(filesIn(dir).length).toBeLessThan(40);
      expect(filesIn(dir).reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(400_000);
    });

    it('says that its vectors are damaged, when opened or read, and works again in an empty folder', async () => {
      const { store, dir } = await opened();
      await store.put([{ key: 'a', vector: vectorOf(1) }]);
      await store.close();
      for (const file of filesIn(dir)) writeFileSync(file, 'no longer what it was');
      const reading = async () => {
        const again = await opened(dir);
        await all(again.store);
      };
      await expect(reading()).rejects.toMatchObject({ code: 'vectors_damaged' });
      rmSync(dir, { recursive: true, force: true });
      await (await opened(dir)).store.put([{ key: 'a', vector: vectorOf(1) }]);
    });

    it('refuses a folder of other dimensions as damaged', async () => {
      const { store, dir } = await opened();
      await store.put([{ key: 'a', vector: vectorOf(1) }]);
      await store.close();
      await expect(open(dir, DIMENSIONS + 8)).rejects.toMatchObject({ code: 'vectors_damaged' });
    });

    it('does not go on with half of the vectors when its folder is deleted', async () => {
      const { store, dir } = await opened();
      await store.put([{ key: 'a', vector: vectorOf(1) }]);
      rmSync(dir, { recursive: true, force: true });
      const going = async () => {
        await store.put([{ key: 'b', vector: vectorOf(2) }]);
        if (existsSync(dir)) await all(store);
      };
      await expect(going()).rejects.toMatchObject({ code: 'vectors_damaged' });
    });
  });
}

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
