import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Embedder } from '@grove/search';
import { collect, makeFolder, spawnScript } from '@grove/testing';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type LocalEmbedderOptions, openLocalEmbedder } from './open-local-embedder.ts';

const state = makeFolder('embedder state');
afterAll(state.remove);
const script = (name: string) => new URL(`../testing/${name}`, import.meta.url);

async function open(options: Partial<LocalEmbedderOptions>): Promise<Embedder> {
  const embedder = await openLocalEmbedder({ stateFolder: state.path, ...options });
  onTestFinished(() => embedder.close());
  return embedder;
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (error) => error.data?.reason ?? error,
  );

describe('a thread that dies', () => {
  it('is started anew, and every other text gets its vector', async () => {
    const embedder = await open({ threadScript: script('dying-thread.ts') });
    const before = await embedder.embedQuery('rain');
    const calls = [
      embedder.embedPassages(['some', 'texts']),
      embedder.embedPassages(['and then', 'die now']),
      embedder.embedPassages(['some', 'texts']),
    ];
    expect(await Promise.all(calls.map(codeOf))).toEqual([
      'answered',
      'the thread of the local model died over a text',
      'answered',
    ]);
    expect(await embedder.embedQuery('rain')).toEqual(before);
  });

  it('again and again is left alone for a while, then started anew', async () => {
    const embedder = await open({
      threadScript: script('dying-thread.ts'),
      pauses: { failureMs: 500, deathsWithinMs: 60_000 },
    });
    const reasons: string[] = [];
    for (let call = 0; call < 3; call++) reasons.push(await codeOf(embedder.embedQuery('die now')));
    expect(reasons[0]).toBe('the thread of the local model died over a text');
    expect(reasons[2]).toBe('the thread of the local model died again and again');
    await expect(embedder.embedQuery('rain')).rejects.toMatchObject({
      code: 'embedder_unavailable',
      data: { permanent: false, retryAfterMs: expect.any(Number) },
    });
    await expect.poll(() => codeOf(embedder.embedQuery('rain')), { timeout: 20_000 }).toBe('answered');
  });

  it('before the model is loaded is an answer, too', async () => {
    const embedder = await open({ threadScript: script('dead-thread.ts') });
    expect(await codeOf(embedder.embedQuery('rain'))).toBe(
      'the thread of the local model died again and again',
    );
  });
});

describe('the process', () => {
  async function run(name: string): Promise<{ code: number; output: string }> {
    const child = spawnScript(fileURLToPath(script(name)), [state.path]);
    const output = collect(child.stdout);
    const [code] = await once(child, 'close');
    return { code, output: output().trim() };
  }

  it('may end while the model is loaded and unused', async () => {
    expect(await run('embed-and-leave.ts')).toEqual({ code: 0, output: '384' });
  });

  it('does not grow when the model is opened and closed over and over', async () => {
    const { output } = await run('open-and-close.ts');
    const sizes = JSON.parse(output) as number[];
    expect(sizes).toHaveLength(4);
    // One model more would be some 70 MB each time.
    expect(sizes.at(-1)! - sizes[1]!).toBeLessThan(100);
  });
});
