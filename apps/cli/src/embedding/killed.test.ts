import { behave, type EmbeddingServer, startEmbeddingServer } from '@grove/embeddings/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startServer } from '../testing/running-server.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

/** Two starts of Grove take their time on a busy machine. */
const LONG = 240_000;
vi.setConfig({ testTimeout: LONG });

const NUMBERED = 60;
const LIKE = { dimensions: 32, batch: 64 };

let scratch: Scratch;
let embedder: EmbeddingServer;
beforeAll(async () => {
  scratch = makeScratch(NUMBERED);
  embedder = await startEmbeddingServer(LIKE);
});
afterAll(async () => {
  await embedder.close();
  scratch.remove();
});

it('goes on after a kill where it was, and sends nothing a second time that was kept', async () => {
  const where = ['--vault', scratch.vault, '--data', scratch.data];
  const env = { GROVE_EMBEDDER: 'openai', GROVE_EMBEDDER_URL: embedder.baseUrl, GROVE_EMBEDDER_MODEL: 'm' };
  // What asks for the dimensions is answered, and the first texts are; the next ones never.
  embedder.next(behave(LIKE), behave(LIKE), () => {});
  const killed = await startServer(where, env);
  const done = async (server: typeof killed) =>
    ((await (await server.get('/v1/status', key)).json()) as { embedding: { done: number } }).embedding.done;
  const key = killed.told.key;
  await expect.poll(() => done(killed), { timeout: LONG, interval: 20 }).toBeGreaterThan(0);
  await expect.poll(() => embedder.received.length, { timeout: LONG, interval: 20 }).toBe(3);
  process.kill(killed.told.pid, 'SIGKILL');
  await killed.stop();
  const [, first, hung, ...others] = embedder.received.map(({ body }) => body.input);
  expect([first?.length, hung?.length, others]).toEqual([expect.any(Number), expect.any(Number), []]);
  const again = await startServer(where, env);
  try {
    await expect.poll(() => done(again), { timeout: LONG, interval: 100 }).toBe(NUMBERED + 6);
    const later = embedder.received.slice(3).flatMap(({ body }) => body.input);
    expect(later).toEqual(expect.arrayContaining([...hung!]));
    expect(later.filter((text) => first!.includes(text) || text === 'dimensions')).toEqual([]);
    expect(new Set(later).size).toBe(later.length);
  } finally {
    await again.stop();
  }
});
