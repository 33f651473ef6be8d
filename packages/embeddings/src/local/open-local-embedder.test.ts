import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Embedder } from '@grove/search';
import { temporaryFolder } from '@grove/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeEmbedder, dot } from '../testing/embedder-conformance.ts';
import { MODEL_FILES, MODEL_FOLDER } from './model/model-files.ts';
import { openLocalEmbedder } from './open-local-embedder.ts';

describeEmbedder('the local model', async () => {
  const embedder = await openLocalEmbedder();
  return { embedder, close: () => embedder.close() };
});

describeEmbedder('the local model on the runtime of other machines', async () => {
  const embedder = await openLocalEmbedder({ runtime: 'onnxruntime-web' });
  return { embedder, close: () => embedder.close() };
});

describe('the local model', () => {
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await openLocalEmbedder();
  });
  afterAll(() => embedder.close());

  it('keeps texts on this machine, and says what it is', () => {
    expect(embedder).toMatchObject({
      id: 'bge-small-en-v1.5-int8/384',
      model: 'bge-small-en-v1.5-int8',
      host: null,
      dimensions: 384,
    });
  });

  it('reports to nobody: its runtime leaves no trace of itself', async () => {
    const home = temporaryFolder('home');
    for (const name of ['HOME', 'XDG_CACHE_HOME', 'TMPDIR']) vi.stubEnv(name, home);
    // Where one of these is set, it does not report anyway.
    for (const name of ['ORT_DISABLE_TELEMETRY', 'ORT_RUNNING_UNIT_TESTS', 'CI', 'GITHUB_ACTIONS'])
      vi.stubEnv(name, undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const another = await openLocalEmbedder();
    onTestFinished(() => another.close());
    await another.embedQuery('rain');
    expect(readdirSync(home).filter((name) => name !== 'node-compile-cache')).toEqual([]);
  });

  it('finds a note by what it means, without a word in common', async () => {
    const notes = await embedder.embedPassages([
      'Keep the tomatoes in the sun until no moisture is left, then store them in oil.',
      'The mortgage runs for twenty years at a fixed rate.',
      'Our cat had to go to the vet after a fight.',
    ]);
    const best = async (text: string) => {
      const query = await embedder.embedQuery(text);
      const scores = notes.map((note) => dot(query, note));
      return scores.indexOf(Math.max(...scores));
    };
    expect(await best('preserving vegetables')).toBe(0);
    expect(await best('home loan')).toBe(1);
    expect(await best('injured pet')).toBe(2);
  });

  it('marks a query as one, and a passage not', async () => {
    const [passage] = await embedder.embedPassages(['home loan']);
    const query = await embedder.embedQuery('home loan');
    expect(dot(passage!, query)).toBeLessThan(0.99);
    const [prefixed] = await embedder.embedPassages([
      'Represent this sentence for searching relevant passages: home loan',
    ]);
    expect(prefixed).toEqual(query);
  });

  it('reads the first 512 tokens of a text and leaves the rest out', async () => {
    const words = 'alpha beta gamma delta '.repeat(200);
    const [whole, longer, shorter] = await embedder.embedPassages([
      words,
      `${words} and a wholly different end`,
      words.slice(0, 400),
    ]);
    expect(longer).toEqual(whole);
    expect(shorter).not.toEqual(whole);
  });

  it('lets a query overtake passages that wait', async () => {
    const done: string[] = [];
    const texts = Array.from({ length: 4 }, (_, at) => `a passage ${at} `.repeat(60));
    const passages = embedder.embedPassages(texts).then(() => done.push('passages'));
    const query = embedder.embedQuery('a query').then(() => done.push('query'));
    await Promise.all([passages, query]);
    expect(done).toEqual(['query', 'passages']);
  });

  it('leaves the event loop free while it embeds', async () => {
    let turns = 0;
    const count = setInterval(() => turns++, 1);
    await embedder.embedPassages(Array.from({ length: 2 }, (_, at) => `many words ${at} `.repeat(150)));
    clearInterval(count);
    expect(turns).toBeGreaterThan(20);
  });

  it('turns calls away rather than keep more than some hundred waiting', async () => {
    const calls = Array.from({ length: 300 }, (_, at) => embedder.embedQuery(`query ${at}`));
    const results = await Promise.allSettled(calls);
    const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
    expect(results.length - refused.length).toBeGreaterThan(200);
    expect(refused[0]).toMatchObject({
      code: 'embedder_unavailable',
      data: { retryAfterMs: 1000, permanent: false },
    });
  });
});

describe('the files of the local model', () => {
  function brokenModel(breakIt: (folder: string) => void): string {
    const folder = temporaryFolder('model');
    cpSync(MODEL_FOLDER, folder, { recursive: true });
    breakIt(folder);
    return folder;
  }

  it.each([
    ['missing', 'is missing', (folder: string) => rmSync(join(folder, 'model.onnx'))],
    ['cut short', 'has 1000 bytes, not', (folder: string) => truncateSync(join(folder, 'model.onnx'), 1000)],
    ['changed', 'is damaged', (folder: string) => changeByte(join(folder, 'model.onnx'), 20_000_000)],
    [
      'changed in the tokenizer',
      'is damaged',
      (folder: string) => changeByte(join(folder, 'tokenizer.json'), 9),
    ],
    [
      'a folder',
      'has \\d+ bytes, not',
      (folder: string) => {
        rmSync(join(folder, 'tokenizer.json'));
        mkdirSync(join(folder, 'tokenizer.json'));
      },
    ],
  ])('when %s: a sentence with the remedy', async (_, words, breakIt) => {
    const embedder = await openLocalEmbedder({ modelFolder: brokenModel(breakIt) });
    onTestFinished(() => embedder.close());
    for (const call of [() => embedder.embedQuery('a'), () => embedder.embedPassages(['a'])])
      await expect(call()).rejects.toMatchObject({
        code: 'embedder_unavailable',
        message: expect.stringMatching(
          new RegExp(`^Texts cannot be [^.]+\\.(?:onnx|json) of the local model ${words}`),
        ),
        hint: expect.stringContaining('packages/embeddings/models'),
        data: { permanent: true, retryAfterMs: expect.any(Number) },
      });
  });

  it('are looked at again after a pause', async () => {
    const modelFolder = brokenModel((folder) => rmSync(join(folder, 'model.onnx')));
    const pauses = { failureMs: 300 };
    const embedder = await openLocalEmbedder({ modelFolder, pauses });
    onTestFinished(() => embedder.close());
    await expect(embedder.embedQuery('a')).rejects.toThrow('is missing');
    cpSync(join(MODEL_FOLDER, 'model.onnx'), join(modelFolder, 'model.onnx'));
    const length = () =>
      embedder.embedQuery('a').then(
        (vector) => vector.length,
        () => null,
      );
    await expect.poll(length, { timeout: 30_000 }).toBe(384);
  });

  it('are the ones that the licence notice tells of', () => {
    const notice = readFileSync(join(MODEL_FOLDER, 'NOTICE.md'), 'utf8');
    for (const { sha256 } of Object.values(MODEL_FILES)) expect(notice).toContain(sha256);
    expect(readFileSync(join(MODEL_FOLDER, 'LICENSE'), 'utf8')).toMatch(/^MIT License/);
  });
});

function changeByte(file: string, at: number): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.from([readFileSync(file)[at]! ^ 1]), 0, 1, at);
  closeSync(handle);
}
