import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StoredVector, VectorStore } from '@grove/search';
import { makeFolder } from '@grove/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clusteredVectors } from '../testing/clustered-vectors.ts';
import { describeVectorStore } from '../testing/store-conformance.ts';
import { openLanceStore } from './lance-store.ts';

describeVectorStore('vectors in LanceDB', openLanceStore);

const DIMENSIONS = 64;
const MANY = 2_000;
/** Only ends a test that hangs. */
const HANG = { timeout: 180_000, interval: 50 };

describe('a table of LanceDB', () => {
  const closing: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  function newFolder(): string {
    const folder = makeFolder('lance');
    closing.push(() => folder.remove());
    return join(folder.path, 'store');
  }

  async function opened(dir = newFolder(), indexedFrom: number | undefined = MANY) {
    const store = await openLanceStore(dir, DIMENSIONS, { indexedFrom });
    closing.push(() => store.close());
    return store;
  }

  const named = (vectors: readonly Float32Array[], from = 0): StoredVector[] =>
    vectors.map((vector, at) => ({ key: `k${from + at}`, vector }));

  it('knows each key whether it came before the keys were indexed or after', HANG, async () => {
    const dir = newFolder();
    const store = await openLanceStore(dir, DIMENSIONS, { keysIndexedFrom: 100 });
    closing.push(() => store.close());
    const vectors = clusteredVectors(240, DIMENSIONS, 3);
    await store.put(named(vectors.slice(0, 120)));
    await store.compact();
    expect(readdirSync(join(dir, 'vectors.lance', '_indices'))).toHaveLength(1);
    await store.put(named(vectors.slice(120), 120));
    await store.put([{ key: 'k7', vector: vectors[200]! }]);
    await store.remove(['k8', 'k130']);
    for (const _ of ['before', 'after']) {
      const found = new Map((await store.get(keysTo(240))).map(({ key, vector }) => [key, vector]));
      expect(found.size).toBe(238);
      expect(found.get('k7')).toEqual(vectors[200]);
      expect(found.get('k9')).toEqual(vectors[9]);
      expect(found.get('k239')).toEqual(vectors[239]);
      await store.compact();
    }
  });

  const keysTo = (count: number) => Array.from({ length: count }, (_, at) => `k${at}`);

  async function indexed(store: VectorStore): Promise<void> {
    await store.compact();
    await expect.poll(() => store.nearest!(clusteredVectors(1, DIMENSIONS, 5)[0]!, 1), HANG).not.toBeNull();
  }

  it(
    'finds about the nearest of many vectors by an index, which changes and a new start leave as it is',
    HANG,
    async () => {
      const vectors = clusteredVectors(MANY + 500, DIMENSIONS, 1);
      const queries = clusteredVectors(30, DIMENSIONS, 2);
      const dir = newFolder();
      const store = await opened(dir);
      await store.put(named(vectors.slice(0, MANY - 1)));
      await store.compact();
      expect(await store.nearest!(queries[0]!, 10)).toBeNull();
      await store.put(named(vectors.slice(MANY - 1), MANY - 1));
      await indexed(store);
      expect(await recall(store, vectors, queries)).toBeGreaterThan(0.95);

      // What came or went since is seen at once.
      await store.put([{ key: 'new', vector: queries[0]! }]);
      const [nearest] = await store.nearest!(vectors[7]!, 1).then((keys) => keys!);
      await store.remove(['k7']);
      expect(nearest).toBe('k7');
      expect(await store.nearest!(vectors[7]!, 50)).not.toContain('k7');
      expect(await store.nearest!(queries[0]!, 1)).toEqual(['new']);
      await store.compact();
      expect(await store.nearest!(queries[0]!, 1)).toEqual(['new']);

      await store.close();
      expect(await (await opened(dir)).nearest!(queries[0]!, 1)).toEqual(['new']);
      expect(await (await opened(dir, MANY * 2)).nearest!(queries[0]!, 1)).toBeNull();
    },
  );

  it('takes what is saved while its index is made, each key once', HANG, async () => {
    const store = await opened();
    await store.put(named(clusteredVectors(MANY, DIMENSIONS, 1)));
    const added = clusteredVectors(50, DIMENSIONS, 3);
    const making = store.compact();
    const saves = added.map((vector, at) => store.put([{ key: `k${at * 40}`, vector }]));
    await Promise.all([making, ...saves, store.compact()]);
    await indexed(store);
    const keys: string[] = [];
    for await (const part of store.read()) keys.push(...part.map(({ key }) => key));
    expect(keys).toHaveLength(MANY);
    expect(new Set(keys).size).toBe(MANY);
    for (const [at, vector] of added.entries())
      expect(await store.nearest!(vector, 1)).toEqual([`k${at * 40}`]);
  });

  it('makes its index in a folder of its own, which is gone afterwards, however it ended', HANG, async () => {
    const [dir, temporary] = [newFolder(), newFolder()];
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    closing.push(() => void vi.unstubAllEnvs());
    const store = await opened(dir);
    await store.put(named(clusteredVectors(MANY, DIMENSIONS, 1)));
    await store.compact();
    const making = () => existsSync(join(dir, 'making'));
    await expect.poll(making, HANG).toBe(true);
    await store.close();
    expect(making()).toBe(false);

    mkdirSync(join(dir, 'making'));
    writeFileSync(join(dir, 'making/of a process that was killed'), 'codes');
    const again = await opened(dir);
    expect(making()).toBe(false);
    await indexed(again);
    expect(making()).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('says that it is damaged by its error alone, not on stderr', HANG, async () => {
    const dir = newFolder();
    const store = await opened(dir);
    await store.put(named(clusteredVectors(2, DIMENSIONS, 1)));
    await store.close();
    for (const file of readdirSync(dir, { recursive: true, withFileTypes: true }))
      if (file.isFile()) writeFileSync(join(file.parentPath, file.name), 'no longer what it was');
    const module = new URL('./lance-store.ts', import.meta.url).href;
    const program = `import { openLanceStore } from '${module}';
      await openLanceStore(process.argv[1], ${DIMENSIONS}).catch(({ code }) => process.stdout.write(code));`;
    const args = ['--input-type=module', '--eval', program, dir];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
    expect({ stdout, stderr }).toEqual({ stdout: 'vectors_damaged', stderr: '' });
  });

  it(
    'is a few files after many single writes of new keys, whoever wrote at the same time',
    HANG,
    async () => {
      const dir = newFolder();
      const store = await opened(dir);
      const vectors = clusteredVectors(150, DIMENSIONS, 1);
      for (let from = 0; from < 150; from += 25) {
        // Twice, at the same time: a key is there once.
        const saves = named(vectors.slice(from, from + 25), from).flatMap((one) => [one, one]);
        await Promise.all(saves.map((one) => store.put([one])));
        if (from % 50 === 25) await store.compact();
      }
      // What one compaction replaces goes with the next.
      await store.compact();
      const filesIn = (folder: string) => readdirSync(join(dir, 'vectors.lance', folder)).length;
      expect(filesIn('data')).toBeLessThan(4);
      expect(filesIn('_versions')).toBeLessThan(6);
      expect(filesIn('_transactions')).toBeLessThan(6);
      let count = 0;
      for await (const part of store.read()) count += part.length;
      expect(count).toBe(150);
    },
  );
});

/** The share of the 20 nearest that are among the 200 that the index finds. */
async function recall(
  store: VectorStore,
  vectors: readonly Float32Array[],
  queries: readonly Float32Array[],
): Promise<number> {
  let found = 0;
  for (const query of queries) {
    const near = new Set(await store.nearest!(query, 200));
    const product = (vector: Float32Array) =>
      vector.reduce((sum, number, at) => sum + number * query[at]!, 0);
    const order = vectors.map((vector, at) => [product(vector), `k${at}`] as const);
    order.sort(([a], [b]) => b - a);
    found += order.slice(0, 20).filter(([, key]) => near.has(key)).length;
  }
  return found / (queries.length * 20);
}
