import { type EmbeddingServer, startEmbeddingServer } from '@grove/embeddings/testing';
import { collect, end } from '@grove/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runGrove, spawnGrove } from '../testing/processes.ts';
import { startServer } from '../testing/running-server.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

/** A start of Grove and a model take their time on a busy machine. */
const LONG = 240_000;
vi.setConfig({ testTimeout: LONG });

const KEY = 'key-of-the-server';
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
      .poll(health, { timeout: LONG, interval: 200 })
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

it('tells at the start why search is by words', async () => {
  const nowhere = await startEmbeddingServer({ dimensions: 48, batch: 64 });
  await nowhere.close();
  const own = makeScratch();
  const child = spawnGrove(['start', '--vault', own.vault, '--data', own.data], {
    env: { GROVE_EMBEDDER: 'openai', GROVE_EMBEDDER_URL: nowhere.baseUrl, GROVE_EMBEDDER_MODEL: 'm' },
  });
  const stdout = collect(child.stdout);
  try {
    await expect.poll(stdout, { timeout: LONG, interval: 100 }).toContain('MCP ');
    expect(stdout()).toMatch(/^my-garden: search is by words\. .*nothing listens at 127\.0\.0\.1:\d+/m);
  } finally {
    await end(child);
    own.remove();
  }
});

it('asks a server that is down until it says what its vectors are like, and embeds from then on', async () => {
  const like = { dimensions: 48, batch: 64 };
  const server = await startEmbeddingServer(like);
  const env = { GROVE_EMBEDDER: 'openai', GROVE_EMBEDDER_URL: server.baseUrl, GROVE_EMBEDDER_MODEL: 'm' };
  await server.close();
  // Only the first start of a data folder tells a key.
  const made = await runGrove(['keys', 'create', 'status', ...where.slice(0, 4)]);
  const down = await startServer(where.slice(0, 4), env);
  let up: EmbeddingServer | null = null;
  try {
    const health = async () =>
      ((await (await down.get('/v1/status', made.stdout.trim())).json()) as Told).embedding;
    expect(await health()).toMatchObject({
      configured: false,
      problem: expect.stringContaining('nothing listens at'),
      note: expect.stringContaining('GROVE_EMBEDDER_DIMENSIONS'),
    });
    expect((await grove(['search', 'compost'], env)).hits[0].path).toBe('Garden/Compost.md');
    const { stdout } = await runGrove(['doctor', ...where], { env });
    expect(JSON.parse(stdout).findings).toContainEqual(
      expect.objectContaining({ check: 'Embedder', state: 'problem' }),
    );
    // The server may have been started with other settings than those of the terminal of the doctor.
    const elsewhere = await runGrove(['doctor', ...where]);
    expect(elsewhere.code).toBe(1);
    expect(JSON.parse(elsewhere.stdout).findings).toContainEqual(
      expect.objectContaining({
        check: 'Index',
        state: 'problem',
        message: expect.stringContaining('nothing listens at'),
      }),
    );
    up = await startEmbeddingServer({ ...like, port: Number(new URL(server.baseUrl).port), key: KEY });
    // What it is told is kept up with what the server says.
    await expect
      .poll(health, { timeout: LONG, interval: 200 })
      .toMatchObject({ configured: false, problem: expect.stringContaining('refuses the key') });
    await up.close();
    up = await startEmbeddingServer({ ...like, port: Number(new URL(server.baseUrl).port) });
    await expect
      .poll(health, { timeout: LONG, interval: 200 })
      .toMatchObject({ configured: true, model: 'm', pending: 0, failed: 0 });
    expect(types(await grove(explained, env))).toContain('vec');
  } finally {
    await down.stop();
    await up?.close();
  }
});
