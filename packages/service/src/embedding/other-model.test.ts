import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openLocalEmbedder, openOpenAiCompatible, vectorStores } from '@grove/embeddings';
import { type EmbeddingServer, startEmbeddingServer } from '@grove/embeddings/testing';
import type { Embedder } from '@grove/search';
import { makeFolder } from '@grove/testing';
import { allowAll, parsePathRule } from '@grove/vault';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Loose, openTestVault, STDIO, type TestVault } from '../testing/opened.ts';
import { openOwnedVault } from '../workspace/open-owned-vault.ts';
import type { OpenedVault } from '../workspace/opened-vault.ts';
import type { Embedding, ModelRecord } from './contract.ts';

const NOTES = {
  'Rain.md': 'A barrel of rain water for the garden.\n',
  'Bread.md': 'Flour and water and salt.\n',
  'Private/Diary.md': 'Flour was all over the kitchen.\n',
};
/** The local model comes behind all other work of the machine. */
const LONG = 240_000;

vi.setConfig({ testTimeout: LONG });

const closers: (() => unknown)[] = [];
let server: EmbeddingServer;
let stores: ReturnType<typeof vectorStores>;
let vault: TestVault;
beforeEach(async () => {
  const home = makeFolder('other-model');
  closers.push(() => home.remove());
  server = await startEmbeddingServer({ dimensions: 64, batch: 64 });
  closers.push(() => server.close());
  stores = vectorStores(home.path);
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const remote = (model: string): Embedder =>
  openOpenAiCompatible({ baseUrl: server.baseUrl, model, dimensions: 64, limitMs: 60_000 });

/** As a process has it whose settings name the server of the tests. */
function embeddingOf(embedder: Embedder): Embedding {
  closers.push(() => embedder.close());
  return {
    embedder,
    openStore: stores.open,
    storeNote: stores.note,
    embeds: 'always',
    models: {
      kind: embedder.host === null ? 'local' : 'openai',
      async reopen({ kind, model, host }: ModelRecord) {
        if (kind === 'local') return await openLocalEmbedder();
        return host === embedder.host ? remote(model) : null;
      },
    },
  };
}

async function begin(embedder: Embedder): Promise<void> {
  vault = await openTestVault(NOTES, { embedding: async () => embeddingOf(embedder) });
  closers.push(() => vault.folder.remove());
  expect(await vault.opened.search.embedded([...vault.opened.vault.ownerView().ids()])).toBe(true);
  await vault.opened.close();
}

async function open(embedder: Embedder): Promise<OpenedVault> {
  const opened = await openOwnedVault({
    root: vault.folder.root,
    dataDir: vault.folder.dataDir,
    kind: 'stdio',
    embedding: async () => embeddingOf(embedder),
  });
  closers.push(() => opened.close());
  await opened.ready;
  return opened;
}

async function byMeaning(opened: OpenedVault, query: string, hidden: readonly string[] = []): Promise<Loose> {
  const denyPaths = hidden.map((path) => parsePathRule(path));
  const scope = opened.scope(STDIO, hidden.length === 0 ? undefined : { ...allowAll, denyPaths });
  return await vault.ok('query', { searches: [{ type: 'vec', query }] }, scope);
}
const paths = ({ hits }: Loose): string[] => hits.map(({ path }: Loose) => path);
const sentTo = (model: string) =>
  server.received.flatMap(({ body }) => (body.model === model ? body.input : []));
const folders = ({ stateDir }: OpenedVault) => readdirSync(join(stateDir, 'index', 'vectors')).sort();
const health = async (opened: OpenedVault): Promise<Loose> =>
  (await vault.ok('vault_status', {}, opened.scope(STDIO))).embedding;

it('answers by the former model until the vectors of the new one are made, then deletes it', async () => {
  await begin(remote('old'));
  const release = server.hold(({ body }) => body.model === 'new');
  const before = sentTo('old').length;
  let opened = await open(remote('new'));
  for (let start = 0; start < 2; start += 1) {
    const answer = await byMeaning(opened, 'rain barrel');
    expect([paths(answer)[0], answer.remarks]).toEqual(['Rain.md', []]);
    expect(paths(await byMeaning(opened, 'flour', ['Private'])).sort()).toEqual(['Bread.md', 'Rain.md']);
    const told = await health(opened);
    expect(told).toMatchObject({ model: 'new', total: 3, done: 0, former: 'old' });
    expect(told.note).toContain('Search by meaning reaches 0 of 3 notes so far (new, ');
    expect(told.note).toContain('old answers, the model before it (3 notes, queries are sent to 127.0.0.1:');
    // A restart in between changes nothing.
    if (start === 0) await opened.close();
    if (start === 0) opened = await open(remote('new'));
  }
  expect(folders(opened)).toEqual([expect.stringMatching(/^new-64-/), expect.stringMatching(/^old-64-/)]);

  await vault.folder.write({ 'Bread.md': 'Nothing but rye.\n', 'New.md': 'Rye and barley.\n' });
  rmSync(join(vault.folder.root, 'Rain.md'));
  await opened.vault.reconcile();
  const answer = await byMeaning(opened, 'flour');
  expect(paths(answer)).toEqual(['Private/Diary.md']);
  expect(answer.remarks).toEqual(['By meaning 1 of 3 notes can be found so far; the others by words.']);
  // Queries alone: of notes the former model gets no word any more.
  expect(new Set(sentTo('old').slice(before))).toEqual(new Set(['rain barrel', 'flour']));

  release();
  const former = join(opened.stateDir, 'index', 'vectors', folders(opened)[1]!);
  await expect.poll(() => existsSync(former), { timeout: LONG }).toBe(false);
  const told = await health(opened);
  expect(told).toMatchObject({ model: 'new', total: 3, done: 3 });
  expect(told).not.toHaveProperty('former');
  const after = sentTo('old').length;
  expect(paths(await byMeaning(opened, 'Nothing but rye.'))[0]).toBe('Bread.md');
  expect(sentTo('old')).toHaveLength(after);
});

it('finds a note that is new by the former model, too, where that is the local one', async () => {
  await begin(await openLocalEmbedder());
  server.hold(() => true);
  const opened = await open(remote('new'));
  await vault.folder.write({ 'Pets/Rex.md': 'The puppy chews shoes.\n' });
  await opened.vault.reconcile();
  await expect
    .poll(async () => paths(await byMeaning(opened, 'a young dog'))[0], { timeout: LONG })
    .toBe('Pets/Rex.md');
  expect(await health(opened)).toMatchObject({ model: 'new', total: 4, done: 0 });
});

it('sends nothing to a host that is not set up any more', async () => {
  await begin(remote('old'));
  const former = server;
  server = await startEmbeddingServer({ dimensions: 64, batch: 64 });
  closers.push(() => server.close());
  server.hold(() => true);
  const opened = await open(remote('new'));
  const before = former.received.length;
  const { remarks } = await vault.ok('query', { query: 'rain barrel' }, opened.scope(STDIO));
  expect(remarks).toEqual([expect.stringMatching(/^vec was answered by words: /)]);
  expect(former.received).toHaveLength(before);
  expect(await health(opened)).not.toHaveProperty('former');
});

it('goes over to the new model while the former one is refused', async () => {
  await begin(remote('old'));
  server.hold(({ body }) => body.model === 'new' && body.input.length > 1);
  const opened = await open(remote('new'));
  server.next((response) => response.writeHead(404).end());
  const { remarks } = await byMeaning(opened, 'barrel');
  expect(remarks).toEqual(['vec was answered by words: the embedding model does not answer.']);
  const again = await byMeaning(opened, 'barrel');
  expect(again.remarks).toEqual(['By meaning 0 of 3 notes can be found so far; the others by words.']);
  expect(sentTo('old').filter((text) => text === 'barrel')).toHaveLength(1);
});

it('keeps of two former models the one with the most notes', async () => {
  await begin(remote('old'));
  server.hold(({ body }) => body.model !== 'old');
  const second = await open(remote('second'));
  await second.close();
  const third = await open(remote('third'));
  expect(folders(third)).toEqual([expect.stringMatching(/^old-64-/), expect.stringMatching(/^third-64-/)]);
  expect(paths(await byMeaning(third, 'rain barrel'))[0]).toBe('Rain.md');
  await third.close();
  // Chosen again, it is whole at once, and nothing is sent for that.
  const before = server.received.length;
  const back = await open(remote('old'));
  await expect.poll(() => folders(back), { timeout: LONG }).toEqual([expect.stringMatching(/^old-64-/)]);
  expect(server.received).toHaveLength(before);
});
