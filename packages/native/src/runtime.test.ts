import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { IdSet, version } from './index.ts';
import { native } from './native.ts';
import { useIndices } from './testing/notes.ts';

const indices = useIndices();
const entry = new URL('./index.ts', import.meta.url).href;

/** A thread that opens an index of its own, searches it while more is written, and then reports or is ended. */
function worker(folder: string, ending: 'reports' | 'ends in the middle'): Worker {
  const script = `
    import { parentPort } from 'node:worker_threads';
    import { openLexicalIndex, outlineMany, VectorSet } from ${JSON.stringify(entry)};
    const index = await openLexicalIndex(${JSON.stringify(folder)});
    const document = (id) => ({ id, path: id + '.md', title: '', aliases: [], headings: [], tags: [],
      properties: '', text: 'shared words '.repeat(2000), bodyStart: 0 });
    await index.add([document(0)]);
    await index.commit();
    const vectors = new VectorSet(4);
    const work = [vectors.upsert(Uint32Array.of(1), Uint32Array.of(1), new Float32Array(4))];
    for (let id = 1; id < 40; id++) {
      work.push(index.add([document(id)]), index.commit());
      work.push(index.search({ query: { kind: 'word', text: 'shared' }, view: null, limit: 3 }));
      work.push(index.scan({ view: null, words: ['shared'] }), outlineMany(['# a'.repeat(1000)]));
    }
    ${ending === 'reports' ? '' : "parentPort.postMessage('started');"}
    await Promise.all(work);
    await index.close();
    parentPort.postMessage(index.documentCount === 0 ? 'closed' : 'open');`;
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
}

describe('the native module', () => {
  it('says what it is', () => {
    expect(version()).toEqual({
      crate: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      tantivy: expect.stringContaining('0.27.0'),
      schema: 1,
    });
  });

  it('turns a panic into an error with a code, and goes on', async () => {
    const panic = { code: 'native_panic', message: expect.stringContaining('provoked') };
    expect(() => native.provokePanic()).toThrow(expect.objectContaining(panic));
    await expect(native.provokePanicAsync()).rejects.toMatchObject(panic);
    expect(IdSet.of(Uint32Array.of(3, 1, 3)).toArray()).toEqual(Uint32Array.of(1, 3));
  });

  it('works in several threads at once', async () => {
    const workers = [1, 2, 3].map(() => worker(indices.folder(), 'reports'));
    const messages = await Promise.all(workers.map((thread) => once(thread, 'message')));
    expect(messages.flat()).toEqual(['closed', 'closed', 'closed']);
    await Promise.all(workers.map((thread) => thread.terminate()));
  });

  it('survives a thread that ends in the middle of its work', async () => {
    for (let round = 0; round < 3; round++) {
      const thread = worker(indices.folder(), 'ends in the middle');
      await once(thread, 'message');
      await thread.terminate();
    }
    const index = await indices.open([]);
    expect(index.documentCount).toBe(0);
  });

  it('lets the process end while an index is open', () => {
    const script = `
      import { openLexicalIndex } from ${JSON.stringify(entry)};
      const index = await openLexicalIndex(${JSON.stringify(join(indices.folder(), 'open'))});
      await index.commit();
      console.log('end');`;
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      encoding: 'utf8',
    });
    expect([status, stdout.trim()]).toEqual([0, 'end']);
  });
});

describe('an id set', () => {
  it('holds what it was given', () => {
    const set = IdSet.of(Uint32Array.of(64, 0, 63, 64, 1000));
    expect(set.size).toBe(4);
    expect([0, 1, 63, 64, 65, 1000, 1001, 4_000_000_000].filter((id) => set.has(id))).toEqual([
      0, 63, 64, 1000,
    ]);
    expect(IdSet.of(new Uint32Array()).size).toBe(0);
    expect(() => IdSet.of(Uint32Array.of(2 ** 31))).toThrow(
      expect.objectContaining({ code: 'bad_argument' }),
    );
  });
});
