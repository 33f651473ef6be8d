import { openOpenAiCompatible, vectorStores } from '@grove/embeddings';
import { startEmbeddingServer } from '@grove/embeddings/testing';
import { makeFolder } from '@grove/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { Embedding } from '../../embedding/contract.ts';
import { type Loose, openTestVault, type TestVault } from '../../testing/opened.ts';

let vault: TestVault;
afterEach(() => vault.close());

const diagnose = (): Promise<Loose> => vault.ok('vault_status', { mode: 'diagnostics' });

/** Sends the call of each of the notes that say the same; then none is left. */
async function mendAll(): Promise<Loose[]> {
  const found = async (): Promise<Loose[]> =>
    (await diagnose()).found.find(({ kind }: Loose) => kind === 'near_duplicates')?.findings ?? [];
  const all = await found();
  for (const { call } of all) await vault.ok('write_note', call);
  expect(await found()).toEqual([]);
  return all;
}

describe('notes that say the same', () => {
  const text = Array.from({ length: 90 }, (_, at) => `step${at}`).join(' ');
  const files = {
    'Heap.md': `${text}\n`,
    'Old/Heap copy.md': `${text}\n`,
    'Plan.md': 'See [[Heap]].\n',
    'Nearly.md': `${text.replace('step9 ', 'leap9 ')}\n`,
  };

  it('are those of equal text where no model is set up; the one that fewer notes link to could go', async () => {
    vault = await openTestVault(files, { writes: true });
    expect((await mendAll()).map(({ path, why }) => [path, why])).toEqual([
      ['Old/Heap copy.md', 'is equal to Heap.md'],
    ]);
    expect((await diagnose()).remarks.join()).toContain('only those of equal text');
  });

  it('are those of nearly the same meaning too, where one is', async () => {
    await using server = await startServer();
    vault = await openTestVault(files, { writes: true, embedding: async () => server.embedding });
    expect(await vault.opened.search.embedded([...vault.scope.view.ids()])).toBe(true);
    await vault.opened.search.alikeNotes(vault.scope.view, 60_000);
    const all = await mendAll();
    expect(all.map(({ path, why }) => [path, why])).toEqual([
      ['Old/Heap copy.md', 'is equal to Heap.md'],
      [
        'Nearly.md',
        expect.stringMatching(
          /^means nearly the same as Heap\.md \(likeness 0\.\d\d\); lines that Heap\.md lacks: 1, such as/,
        ),
      ],
    ]);
    expect((await diagnose()).remarks).toEqual([]);
  });
});

async function startServer() {
  const server = await startEmbeddingServer({ dimensions: 64, batch: 64 });
  const home = makeFolder('alike');
  const stores = vectorStores(home.path);
  const embedding: Embedding = {
    embedder: openOpenAiCompatible({ baseUrl: server.baseUrl, model: 'm', dimensions: 64 }),
    openStore: stores.open,
    storeNote: stores.note,
    embeds: 'always',
    patienceMs: 60_000,
  };
  return {
    embedding,
    [Symbol.asyncDispose]: async () => {
      await embedding.embedder.close();
      await server.close();
      home.remove();
    },
  };
}
