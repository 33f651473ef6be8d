import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLocalEmbedder, openOpenAiCompatible, vectorStores } from '@grove/embeddings';
import { answerWith, type EmbeddingServer, startEmbeddingServer } from '@grove/embeddings/testing';
import type { Embedder } from '@grove/search';
import { makeFolder } from '@grove/testing';
import { allowAll, parsePathRule } from '@grove/vault';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Loose, openTestVault, type TestVault } from '../testing/opened.ts';
import { openOwnedVault } from '../workspace/open-owned-vault.ts';

const NOTES = {
  'Rain.md': 'A barrel of rain water for the garden.\n',
  'Bread.md': 'Flour and water and salt.\n',
};
const DIMENSIONS = 64;
const KEY = 'key-that-nobody-may-see';

let server: EmbeddingServer;
let home: ReturnType<typeof makeFolder>;
let vault: TestVault | null = null;
let embedder: Embedder;
beforeAll(() => {
  home = makeFolder('faults');
});
afterAll(() => home.remove());
beforeEach(async () => {
  server = await startEmbeddingServer({ dimensions: DIMENSIONS, batch: 64, key: KEY });
});
afterEach(async () => {
  await vault?.close();
  vault = null;
  await embedder.close();
  await server.close();
});

async function open(
  used: Embedder,
  embeds: 'always' | 'when-awaited' | 'never' = 'always',
  more: object = {},
): Promise<TestVault> {
  embedder = used;
  const stores = vectorStores(home.path);
  vault = await openTestVault(NOTES, {
    writes: true,
    embedding: async () => ({ embedder, openStore: stores.open, storeNote: stores.note, embeds }),
    ...more,
  });
  return vault;
}

const remote = (more: { key?: string; dimensions?: number; baseUrl?: string } = {}) =>
  openOpenAiCompatible({
    baseUrl: server.baseUrl,
    model: 'm',
    dimensions: DIMENSIONS,
    key: KEY,
    limitMs: 2_000,
    ...more,
  });
const health = async (): Promise<Loose> => (await vault!.ok('vault_status')).embedding;
const paths = ({ hits }: Loose): string[] => hits.map(({ path }: Loose) => path);
const refuses = (status: number, code: string) => answerWith(status, { error: { code } });

describe('an embedder that refuses', () => {
  it.each([
    ['a wrong key', 'refuses the key', () => remote({ key: 'another-key' })],
    ['nobody at its address', 'no connection', () => remote({ baseUrl: 'http://127.0.0.1:9/v1' })],
    ['vectors of other dimensions', 'dimensions', () => remote({ dimensions: 32 })],
  ])('leaves search to words at once for %s, and health says what to do', async (_, words, make) => {
    await open(make());
    const answer = await vault!.ok('query', { query: 'rain barrel' });
    expect(paths(answer)).toEqual(['Rain.md']);
    expect(answer.remarks).toEqual([expect.stringMatching(/^vec was answered by words: /)]);
    expect(await vault!.opened.search.embedded([...vault!.opened.vault.ownerView().ids()])).toBe(false);
    const told = await health();
    expect(told).toMatchObject({ configured: true, model: 'm', total: 2, done: 0, pending: 2 });
    expect(told.problem).toContain(words);
    expect(told.problem).not.toContain(KEY);
    const { text } = await vault!.call('vault_status');
    expect(text).toContain(told.problem);
    expect(text).toContain('Search by meaning reaches 0 of 2 notes so far (m, texts are sent to 127.0.0.1:');
  });

  it('tells of credit that is gone', async () => {
    server.next(...Array.from({ length: 4 }, () => refuses(429, 'insufficient_quota')));
    await open(remote());
    const ids = [...vault!.opened.vault.ownerView().ids()];
    expect(await vault!.opened.search.embedded(ids)).toBe(false);
    expect((await health()).problem).toContain('has nothing left');
  });

  it('takes up again by itself after a failure that passes', async () => {
    server.next(refuses(503, 'overloaded'));
    await open(remote());
    await expect.poll(async () => (await health()).done, { timeout: 20_000 }).toBe(2);
    expect(await health()).not.toHaveProperty('problem');
    expect(paths(await vault!.ok('query', { searches: [{ type: 'vec', query: 'flour' }] }))[0]).toBe(
      'Bread.md',
    );
  });

  it('does not keep a write that waits for it, and the answer says so', async () => {
    await open(remote({ key: 'another-key' }));
    await vault!.opened.search.embedded([...vault!.opened.vault.ownerView().ids()]);
    const { created, remarks } = await vault!.ok('write_note', {
      path: 'New.md',
      content: 'Something.',
      wait: 'embedded',
    });
    expect(created).toBe(true);
    expect(remarks).toEqual([expect.stringMatching(/^Written, and not embedded yet/)]);
  });

  it('that never answers leaves every search to words', async () => {
    await open(remote());
    await expect.poll(async () => (await health()).done, { timeout: 20_000 }).toBe(2);
    server.next(...Array.from({ length: 5 }, () => () => {}));
    for (const words of ['rain', 'barrel', 'rain barrel', 'barrel rain']) {
      const answer = await vault!.ok('query', { query: words });
      expect(paths(answer)).toEqual(['Rain.md']);
      expect(answer.remarks).toEqual(['vec was answered by words: the embedding model does not answer.']);
    }
  });

  it('is told of where the files of the local model are missing', async () => {
    const empty = makeFolder('no model');
    try {
      await open(await openLocalEmbedder({ modelFolder: empty.path }));
      const answer = await vault!.ok('query', { query: 'rain barrel' });
      expect(paths(answer)).toEqual(['Rain.md']);
      const ids = [...vault!.opened.vault.ownerView().ids()];
      expect(await vault!.opened.search.embedded(ids)).toBe(false);
      expect((await health()).problem).toMatch(/model/);
    } finally {
      empty.remove();
    }
  });
});

describe('a process of one call', () => {
  it('embeds nothing, and searches by words where no vectors are', async () => {
    await open(remote(), 'never');
    expect(paths(await vault!.ok('query', { query: 'rain barrel' }))).toEqual(['Rain.md']);
    expect(server.received).toEqual([]);
    expect(await health()).toMatchObject({
      configured: false,
      note: 'Search is by words. No note is embedded yet; that is done while "grove start" or "grove stdio" runs.',
    });
  });

  it('embeds when a write waits for it', async () => {
    await open(remote(), 'when-awaited');
    expect(server.received).toEqual([]);
    const write = { path: 'New.md', content: 'Something new.', wait: 'embedded' };
    expect((await vault!.ok('write_note', write)).remarks).toEqual([]);
    expect(server.received.length).toBeGreaterThan(0);
    const { hits } = await vault!.ok('query', { searches: [{ type: 'vec', query: 'something new' }] });
    expect(hits[0].path).toBe('New.md');
  });
});

it('sends no word of a note that the process may not read, nor of a file that is none', async () => {
  await open(remote(), 'always', {
    policy: { ...allowAll, denyPaths: [parsePathRule('Private')] },
    prepare: (root: string) => {
      mkdirSync(join(root, 'Private'));
      writeFileSync(join(root, 'Private', 'Diary.md'), 'The xylophone stays secret.');
      writeFileSync(join(root, 'list.txt'), 'A xylophone for the list.');
    },
  });
  await expect.poll(async () => (await health()).done, { timeout: 20_000 }).toBe(2);
  writeFileSync(join(vault!.folder.root, 'Private', 'Diary.md'), 'Another xylophone.');
  await vault!.folder.write({ 'Rain.md': 'A second barrel.\n' });
  await vault!.opened.vault.reconcile();
  expect(await vault!.opened.search.embedded([...vault!.opened.vault.ownerView().ids()])).toBe(true);
  const sent = JSON.stringify(server.received);
  expect(sent).toContain('A second barrel.');
  expect(sent).not.toContain('xylophone');
  expect(sent).not.toContain('Diary');
  expect(await health()).toMatchObject({ total: 2, done: 2, pending: 0 });
});

it('says that a write cannot wait for vectors where there is no model', async () => {
  embedder = remote();
  vault = await openTestVault(NOTES, { writes: true });
  const { remarks } = await vault.ok('write_note', { path: 'New.md', content: 'x', wait: 'embedded' });
  expect(remarks).toEqual(['No embedding model is set up: the note is found by its words.']);
  expect(await health()).toEqual({
    configured: false,
    note: 'No embedding model is set up: search by meaning is answered by words.',
  });
});

it('builds the vectors of another model in a folder of their own and deletes the former', async () => {
  await open(remote());
  const { stateDir } = vault!.opened;
  const folder = join(stateDir, 'index', 'vectors');
  await expect.poll(async () => (await health()).done, { timeout: 20_000 }).toBe(2);
  const [former] = readdirSync(folder);
  expect(former).toMatch(/^m-64-/);
  await vault!.opened.close();
  await embedder.close();
  const other = await startEmbeddingServer({ dimensions: 32, batch: 64 });
  try {
    embedder = openOpenAiCompatible({ baseUrl: other.baseUrl, model: 'other', dimensions: 32 });
    const stores = vectorStores(home.path);
    const again = await openOwnedVault({
      root: vault!.folder.root,
      dataDir: vault!.folder.dataDir,
      kind: 'stdio',
      embedding: async () => ({
        embedder,
        openStore: stores.open,
        storeNote: stores.note,
        embeds: 'always',
      }),
    });
    try {
      await again.ready;
      await expect.poll(() => existsSync(join(folder, former!)), { timeout: 20_000 }).toBe(false);
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/^other-32-/)]);
      expect(again.search.embeddedOf(again.vault.ownerView())).toEqual({ total: 2, done: 2, failed: 0 });
    } finally {
      await again.close();
    }
  } finally {
    await other.close();
  }
});
