import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Embedder } from '@grove/search';
import { collect, describeWithPrograms, spawnScript } from '@grove/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dot } from '../testing/embedder-conformance.ts';
import { type LocalEmbedderOptions, openLocalEmbedder } from './open-local-embedder.ts';

const script = (name: string) => new URL(`../testing/${name}`, import.meta.url);

async function open(options: LocalEmbedderOptions): Promise<Embedder> {
  const embedder = await openLocalEmbedder(options);
  onTestFinished(() => embedder.close());
  return embedder;
}

const outcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'answered',
    (error) => error.data?.reason ?? String(error),
  );

describe('a process that dies', () => {
  const dying = { script: script('dying-child.ts') };

  it('is started anew, and every other text gets its vector', async () => {
    const embedder = await open({ process: dying });
    const before = await embedder.embedQuery('rain');
    const calls = [
      embedder.embedPassages(['some', 'texts']),
      embedder.embedPassages(['and then', 'die now']),
      embedder.embedPassages(['some', 'texts']),
    ];
    expect(await Promise.all(calls.map(outcome))).toEqual([
      'answered',
      'the process of the local model ended over a text (SIGSEGV)',
      'answered',
    ]);
    expect(await embedder.embedQuery('rain')).toEqual(before);
  });

  it('again and again is left alone for a while, then started anew', async () => {
    const embedder = await open({ process: dying, pauses: { failureMs: 500 } });
    const reasons: string[] = [];
    for (let call = 0; call < 2; call++) reasons.push(await outcome(embedder.embedQuery('die now')));
    expect(reasons).toEqual([
      'the process of the local model ended over a text (SIGSEGV)',
      'the process of the local model ended again and again',
    ]);
    await expect(embedder.embedQuery('rain')).rejects.toMatchObject({
      code: 'embedder_unavailable',
      data: { permanent: false, retryAfterMs: expect.any(Number) },
    });
    await expect.poll(() => outcome(embedder.embedQuery('rain')), { timeout: 30_000 }).toBe('answered');
  });

  it('or hangs over a text is ended, and the next text is answered', async () => {
    const embedder = await open({ process: { ...dying, runLimitMs: 2000 } });
    const calls = [embedder.embedPassages(['hang now']), embedder.embedPassages(['rain'])];
    expect(await Promise.all(calls.map(outcome))).toEqual([
      'the process of the local model ended over a text (no answer within 2 seconds)',
      'answered',
    ]);
  });
});

describe('a machine on which the model', () => {
  it.each([
    ['crashes', 'aborting-child.ts', /ended while it loaded \((?:SIG|exit code)/, true],
    ['computes something else', 'wrong-child.ts', /computes wrong vectors on this machine/, true],
    ['never answers', 'hanging-child.ts', /ended while it loaded \(no answer within 2 seconds\)/, false],
    ['has no runtime', 'other-processor-child.ts', /onnxruntime-node has no build for linux-riscv64/, true],
    [
      'has another C library',
      'other-library-child.ts',
      /onnxruntime-node cannot be loaded on \w+-arm64/,
      true,
    ],
  ])('%s gets a sentence with the remedy, and calls are answered', async (_, name, reason, permanent) => {
    const limit = name.startsWith('hanging') ? { loadLimitMs: 2000 } : {};
    const process = { script: script(name), ...limit };
    const embedder = await open({ process, runtime: 'onnxruntime-node' });
    for (const call of [() => embedder.embedQuery('rain'), () => embedder.embedPassages(['rain'])])
      await expect(call()).rejects.toMatchObject({
        code: 'embedder_unavailable',
        message: expect.stringMatching(reason),
        hint: expect.stringContaining('remote embedder'),
        data: { permanent, retryAfterMs: expect.any(Number) },
      });
  });

  it.each(['other-processor-child.ts', 'other-library-child.ts'])(
    'has no build of the first runtime gets the same vectors of the second, and a note (%s)',
    async (name) => {
      const [usual, other] = [await open({}), await open({ process: { script: script(name) } })];
      expect(dot(await other.embedQuery('rain'), await usual.embedQuery('rain'))).toBeGreaterThan(0.99);
      expect(usual.note?.()).toBeNull();
      expect(other.note?.()).toMatch(/^The model runs on onnxruntime-web/);
    },
  );

  it('fails is tried less and less often', async () => {
    const pauses = { failureMs: 50, longestMs: 150 };
    const embedder = await open({ process: { script: script('wrong-child.ts') }, pauses });
    const waits: number[] = [];
    while (waits.length < 4) {
      const error = await embedder.embedQuery('rain').catch((thrown) => thrown);
      waits.push(error.data.retryAfterMs);
      await new Promise((resolve) => setTimeout(resolve, error.data.retryAfterMs + 5));
    }
    expect(waits).toEqual([50, 100, 150, 150]);
  });

  it('loads at once, when asked to, is told of by the first text', async () => {
    const embedder = await open({ process: { script: script('wrong-child.ts') }, loadNow: true });
    expect(await outcome(embedder.embedQuery('rain'))).toMatch(/computes wrong vectors/);
  });

  it.each([false, true])('still loads can be closed at once (before a text: %s)', async (loadNow) => {
    const embedder = await open({ process: { script: script('hanging-child.ts') }, loadNow });
    if (loadNow) return await embedder.close();
    const call = outcome(embedder.embedQuery('rain'));
    await embedder.close();
    expect(await call).toBe('the local model was closed');
  });
});

describeWithPrograms('the process that uses the model', ['ps'], () => {
  it('has it before the first text when it is to be loaded at once, and one process of it', async () => {
    const embedder = await open({ loadNow: true });
    const models = () =>
      execFileSync('ps', ['-o', 'args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line.includes('embedding-child')).length;
    await expect.poll(models, { timeout: 20_000 }).toBe(1);
    await embedder.embedQuery('rain');
    expect(models()).toBe(1);
  });

  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it.each(['unused', 'exit', 'killed'])('ends (%s) in good order, and the model with it', async (way) => {
    const child = spawnScript(fileURLToPath(script('embed-and-leave.ts')), [way]);
    const output = collect(child.stdout);
    await once(child.stdout, 'data');
    const pid = Number(output());
    if (way === 'killed') child.kill('SIGKILL');
    const [code, signal] = await once(child, 'close');
    expect([code, signal]).toEqual(way === 'killed' ? [null, 'SIGKILL'] : [0, null]);
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
  });
});
