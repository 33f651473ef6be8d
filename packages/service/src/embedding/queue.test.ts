import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openOpenAiCompatible, vectorStores } from '@grove/embeddings';
import { behave, type EmbeddingServer, startEmbeddingServer } from '@grove/embeddings/testing';
import { makeFolder } from '@grove/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Loose, openTestVault, type TestVault } from '../testing/opened.ts';

const LONG = 240_000;
vi.setConfig({ testTimeout: LONG });

const LIKE = { dimensions: 64, batch: 64 };
const closers: (() => unknown)[] = [];
let server: EmbeddingServer;
let vault: TestVault;
beforeEach(async () => {
  server = await startEmbeddingServer(LIKE);
  closers.push(() => server.close());
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** @param vectors where the vectors of the vault lie, other than in its own state */
async function open(notes: Readonly<Record<string, string>>, vectors: string | null = null): Promise<void> {
  const home = makeFolder('queue');
  closers.push(() => home.remove());
  const embedder = openOpenAiCompatible({ baseUrl: server.baseUrl, model: 'm', dimensions: 64 });
  closers.push(() => embedder.close());
  const stores = vectorStores(home.path);
  let data = '';
  vault = await openTestVault(notes, {
    writes: true,
    prepare: (root) => {
      data = join(dirname(root), 'data', 'vaults');
    },
    embedding: async () => {
      const index = join(data, readdirSync(data)[0]!, 'index');
      mkdirSync(index, { recursive: true });
      if (vectors !== null) symlinkSync(vectors, join(index, 'vectors'));
      return { embedder, openStore: stores.open, storeNote: stores.note, embeds: 'always' };
    },
  });
  closers.push(() => vault.close());
}

const write = (path: string, content: string) => vault.ok('write_note', { path, content, wait: 'embedded' });
const all = async (): Promise<boolean> =>
  await vault.opened.search.embedded([...vault.opened.vault.ownerView().ids()]);
const sent = () => server.received.flatMap(({ body }) => body.input);
const first = async (query: string): Promise<string> =>
  (await vault.ok('query', { searches: [{ type: 'vec', query }] })).hits[0].path;
const health = async (): Promise<Loose> => (await vault.ok('vault_status')).embedding;

const canMount = (() => {
  const folder = makeFolder('mount');
  const mounted =
    process.platform === 'linux' &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder.path]).status === 0;
  if (mounted) spawnSync('umount', [folder.path]);
  folder.remove();
  return mounted;
})();

/** Some notes with one text each, more than one group of the queue. */
const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}.md`, `Word${at} and more.\n`]));

it('embeds a note that was just written before all that waits', async () => {
  const release = server.hold(() => true);
  await open(many(120));
  await expect.poll(() => server.received.length, { timeout: LONG }).toBe(1);
  await vault.ok('write_note', { path: 'New.md', content: 'A kestrel.' });
  release();
  expect(await all()).toBe(true);
  // The request that was under way, then the one with the new note.
  expect(server.received[1]?.body.input[0]).toContain('A kestrel.');
});

it('embeds each text once for fifty notes that are written at the same time', async () => {
  await open({ 'Start.md': 'The beginning.\n' });
  await all();
  const before = sent().length;
  const calls = Array.from({ length: 50 }, (_, at) => write(`w${at}.md`, `Kestrel number${at}.`));
  await Promise.all(calls);
  expect(await all()).toBe(true);
  const later = sent().slice(before);
  expect(later).toHaveLength(50);
  expect(new Set(later).size).toBe(50);
  expect(vault.opened.search.health().meaning).toMatchObject({ total: 51, done: 51, vectors: 51 });
});

it('makes the vectors anew when their folder is deleted while it runs, and nothing else', async () => {
  await open(many(5));
  expect(await all()).toBe(true);
  const vectors = join(vault.opened.stateDir, 'index', 'vectors');
  for (const name of readdirSync(vectors)) rmSync(join(vectors, name, 'store'), { recursive: true });
  expect((await write('New.md', 'A kestrel.')).created).toBe(true);
  await expect.poll(async () => (await health()).done, { timeout: LONG }).toBe(6);
  expect((await health()).note).toContain('The vectors were damaged or deleted.');
  expect(await first('Word3 and more.')).toBe('n3.md');
  expect(vault.opened.vault.health().parsed).toBe(6);
});

it('embeds one text for a new name of a note, whatever its parts', async () => {
  const parts = Array.from({ length: 6 }, (_, at) => `## Part ${at}\n\n${`word${at} `.repeat(150)}\n`);
  await open({ 'Old.md': parts.join('\n') });
  expect(await all()).toBe(true);
  const before = sent();
  expect(before.length).toBeGreaterThan(6);
  renameSync(join(vault.folder.root, 'Old.md'), join(vault.folder.root, 'Young.md'));
  await vault.opened.vault.reconcile();
  expect(await all()).toBe(true);
  const later = sent().slice(before.length);
  expect(later).toEqual([expect.stringMatching(/^Young\n/)]);
  expect(vault.opened.search.health().meaning).toMatchObject({ total: 1, done: 1, vectors: before.length });
});

describe.skipIf(!canMount)('on a disk that is full (needs the right to mount)', () => {
  it('waits, says so, and goes on by itself when there is room', async () => {
    const disk = makeFolder('small');
    closers.push(() => disk.remove());
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk.path]);
    closers.push(() => spawnSync('umount', ['-l', disk.path]));
    await open({ 'Start.md': 'The beginning.\n' }, disk.path);
    expect(await all()).toBe(true);
    const filler = join(disk.path, 'filler');
    let told: Loose = {};
    for (const at of [1, 2, 3]) {
      // Again each time, since what is tidied meanwhile makes room.
      const append = ['oflag=append', 'conv=notrunc'];
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k', ...append], { stdio: 'ignore' });
      told = await write(`New${at}.md`, `A kestrel${at}. `.repeat(400));
      expect(told.created).toBe(true);
    }
    expect(told.remarks).toEqual([expect.stringMatching(/^Written, and not embedded yet/)]);
    expect((await health()).problem).toMatch(/disk|full/);
    rmSync(filler);
    await expect.poll(async () => (await health()).done, { timeout: LONG }).toBe(4);
    const { hits } = await vault.ok('query', { searches: [{ type: 'vec', query: 'kestrel' }] });
    expect(hits).toHaveLength(4);
  });
});

it('mixes in no vectors of other dimensions that a server gives from one call to the next', async () => {
  await open(many(3));
  expect(await all()).toBe(true);
  server.next(behave({ ...LIKE, dimensions: 32 }));
  const { created, remarks } = await write('New.md', 'A kestrel.');
  expect([created, remarks]).toEqual([true, [expect.stringMatching(/^Written, and not embedded yet/)]]);
  expect((await health()).problem).toContain('gave vectors of 32 numbers, not 64');
  expect(await first('Word2 and more.')).toBe('n2.md');
  expect(vault.opened.search.health().meaning).toMatchObject({ done: 3, vectors: 3 });
});
