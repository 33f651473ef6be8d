import { startEmbeddingServer } from '@grove/embeddings/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runGrove } from '../testing/processes.ts';
import { startServer } from '../testing/running-server.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

const LOCAL = { GROVE_EMBEDDER: 'local' };
let scratch: Scratch;
let where: readonly string[];
beforeAll(() => {
  scratch = makeScratch();
  where = ['--vault', scratch.vault, '--data', scratch.data, '--json'];
});
afterAll(() => scratch.remove());

const grove = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
  const { code, stdout, stderr } = await runGrove([...args, ...where], { env });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};
const explained = ['search', 'food waste that rots into soil', '--explain'];
interface Told {
  readonly embedding: object;
}

const types = ({ hits }: { hits: { found: { type: string }[] }[] }) => [
  ...new Set(hits.flatMap(({ found }) => found.map(({ type }) => type))),
];

it('is done by the server with the local model, and used by commands after it', async () => {
  const before = await grove(explained, LOCAL);
  expect(types(before)).toEqual(['lex']);
  const server = await startServer([...where.slice(0, 4), '--writes'], LOCAL);
  try {
    const health = async () => ((await (await server.get('/v1/status')).json()) as Told).embedding;
    await expect
      .poll(health, { timeout: 40_000, interval: 200 })
      .toMatchObject({ configured: true, model: 'bge-small-en-v1.5-int8', total: 6, done: 6 });
    const beside = await grove(explained, LOCAL);
    expect(beside.hits[0].path).toBe('Garden/Compost.md');
    expect(types(beside)).toContain('vec');
  } finally {
    expect(await server.stop()).toBe(0);
  }
  const written = await runGrove(['write', 'Pets/Rex.md', '--wait', 'embedded', ...where], {
    env: LOCAL,
    input: 'The puppy chews shoes.\n',
  });
  expect(written.stderr).toBe('');
  expect(JSON.parse(written.stdout).remarks).toEqual([]);
  expect((await grove(['search', 'a young dog'], LOCAL)).hits[0].path).toBe('Pets/Rex.md');
});

it('asks a server for what its vectors are like, and says how to go on where it is down', async () => {
  const server = await startEmbeddingServer({ dimensions: 48, batch: 64 });
  const env = { GROVE_EMBEDDER: 'openai', GROVE_EMBEDDER_URL: server.baseUrl, GROVE_EMBEDDER_MODEL: 'm' };
  await server.close();
  const down = await startServer(where.slice(0, 4), env);
  try {
    const { embedding } = await grove(['status'], env);
    expect(embedding).toMatchObject({
      configured: false,
      problem: expect.stringContaining('nothing listens at'),
    });
    expect(embedding.note).toContain('GROVE_EMBEDDER_DIMENSIONS');
    expect((await grove(['search', 'compost'], env)).hits[0].path).toBe('Garden/Compost.md');
    const { stdout } = await runGrove(['doctor', ...where], { env });
    expect(JSON.parse(stdout).findings).toContainEqual(
      expect.objectContaining({ check: 'Embedder', state: 'problem' }),
    );
  } finally {
    await down.stop();
  }
});
