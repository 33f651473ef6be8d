import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@grove/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MODEL_FOLDER } from '../model/model-files.ts';
import { openLocalEmbedder } from '../open-local-embedder.ts';
import { type ProbeResult, probeModel } from './probe.ts';
import { PROBE_FILE, rememberedProbe } from './remembered-probe.ts';

const model = { folder: MODEL_FOLDER, runtime: 'onnxruntime-node', threads: 1 } as const;
const never = new AbortController().signal;
const script = (name: string) => fileURLToPath(new URL(`../../testing/${name}`, import.meta.url));

describe('a probe of the local model', () => {
  it('finds that it works here', async () => {
    expect(await probeModel(model, never)).toEqual({ works: true });
  });

  it.each([
    ['crashes', 'aborting-probe.ts', /cannot run on this machine \(.+\)$/, true],
    ['computes something else', 'wrong-probe.ts', /computes wrong vectors on this machine$/, true],
    ['prints no answer', 'silent-probe.ts', /cannot run on this machine \(it gave no answer\)$/, true],
    ['never answers', 'hanging-probe.ts', /did not answer within 0\.5 seconds$/, false],
  ])('that %s is a sentence, not an end of this process', async (_, name, reason, lasting) => {
    const result = await probeModel(model, never, {
      script: script(name),
      limitMs: name.startsWith('hang') ? 500 : 20_000,
    });
    expect(result).toMatchObject({
      works: false,
      lasting,
      trouble: {
        reason: expect.stringMatching(reason),
        permanent: lasting,
        remedy: expect.stringMatching(/\.$/),
      },
    });
  });

  it('says what is wrong with the files, and does not take that for the machine', async () => {
    const result = await probeModel({ ...model, folder: temporaryFolder() }, never);
    expect(result).toMatchObject({
      works: false,
      lasting: false,
      trouble: { reason: 'model.onnx of the local model is missing' },
    });
  });

  it.each([
    ['a processor', 'other-processor-probe.ts', 'onnxruntime-node has no build for linux-riscv64'],
    [
      'a C library',
      'other-library-probe.ts',
      expect.stringMatching(/^onnxruntime-node cannot be loaded on [a-z]+-arm64$/),
    ],
  ])('says so where there is no build of the runtime for %s', async (_, name, reason) => {
    expect(await probeModel(model, never, { script: script(name) })).toMatchObject({
      works: false,
      trouble: { reason, permanent: true, remedy: expect.stringContaining('remote embedder') },
    });
  });

  it('that crashes makes the embedder unavailable, with the remedy', async () => {
    const embedder = await openLocalEmbedder({
      stateFolder: temporaryFolder(),
      probe: { script: script('aborting-probe.ts') },
    });
    onTestFinished(() => embedder.close());
    await expect(embedder.embedQuery('rain')).rejects.toMatchObject({
      code: 'embedder_unavailable',
      message: expect.stringContaining('the local model cannot run on this machine'),
      hint: expect.stringContaining('remote embedder'),
      data: { permanent: true },
    });
  });

  it('is ended when the embedder is closed', async () => {
    const embedder = await openLocalEmbedder({
      stateFolder: temporaryFolder(),
      probe: { script: script('hanging-probe.ts') },
    });
    const call = embedder.embedQuery('rain').catch((error: unknown) => error);
    await embedder.close();
    expect(await call).toMatchObject({ code: 'embedder_unavailable' });
  });
});

describe('what a probe found', () => {
  /** Answers in turn, and counts. */
  function probes(...results: ProbeResult[]) {
    let asked = 0;
    return { probe: async () => results[asked++]!, asked: () => asked };
  }
  const fails = (lasting: boolean): ProbeResult => ({
    works: false,
    lasting,
    trouble: { reason: 'it does not' },
  });

  it('is remembered over restarts', async () => {
    const folder = join(temporaryFolder(), 'not there yet');
    const { probe, asked } = probes({ works: true });
    for (let start = 0; start < 3; start++)
      expect(await rememberedProbe(folder, 'onnxruntime-node', probe)).toEqual({ works: true });
    expect(asked()).toBe(1);
  });

  it('is asked again on another processor, or when the file is unreadable', async () => {
    const folder = temporaryFolder();
    const { probe, asked } = probes({ works: true }, { works: true }, { works: true });
    const file = join(folder, PROBE_FILE);
    await rememberedProbe(folder, 'onnxruntime-node', probe);
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), key: 'of another' }));
    await rememberedProbe(folder, 'onnxruntime-node', probe);
    expect(asked()).toBe(2);
    for (const text of ['', '{', 'null', '{"result":{}}']) {
      writeFileSync(file, text);
      await rememberedProbe(folder, 'onnxruntime-node', async () => ({ works: true }));
      expect(JSON.parse(readFileSync(file, 'utf8')).result).toEqual({ works: true });
    }
  });

  it('is forgotten when it was a passing failure, and after a day when it was a lasting one', async () => {
    const folder = temporaryFolder();
    const { probe, asked } = probes(fails(false), fails(true), { works: true });
    for (let start = 0; start < 3; start++)
      expect(await rememberedProbe(folder, 'onnxruntime-node', probe)).toMatchObject({ works: false });
    expect(asked()).toBe(2);
    const file = join(folder, PROBE_FILE);
    const dayAgo = new Date(Date.now() - 25 * 60 * 60 * 1000).toISOString();
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), at: dayAgo }));
    expect(await rememberedProbe(folder, 'onnxruntime-node', probe)).toEqual({ works: true });
  });

  it('needs no folder that can be written', async () => {
    const file = join(temporaryFolder(), 'a file');
    writeFileSync(file, '');
    const { probe } = probes({ works: true });
    expect(await rememberedProbe(join(file, 'below'), 'onnxruntime-node', probe)).toEqual({ works: true });
  });
});
