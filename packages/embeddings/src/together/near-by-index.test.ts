import type { VectorStore } from '@grove/search';
import { allowAll, parsePathRule } from '@grove/vault';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openOpenAiCompatible } from '../remote/openai-compatible.ts';
import { openLanceStore } from '../stores/lance-store.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../testing/embedding-server.ts';
import { type MeaningVault, openMeaningVault } from '../testing/meaning-vault.ts';

const DIMENSIONS = 64;
const NOTES = 300;
const WORDS = ['heron', 'reed', 'mud', 'frog', 'willow', 'otter', 'rain', 'stone', 'boat', 'ice', 'moss'];

/** A note long enough to have a part beside its head, unlike every other. */
function bodyOf(at: number): string {
  const words = Array.from({ length: 60 }, (_, place) => WORDS[(at * (place + 1) + place) % WORDS.length]!);
  return `${words.join(' ')} ${at}.`;
}

describe('a vault with so many vectors that the store keeps an index of them', () => {
  let server: EmbeddingServer;
  let [indexed, plain] = [] as unknown as [MeaningVault, MeaningVault];
  /** How often an index was asked and answered. */
  let asked = 0;

  beforeAll(async () => {
    server = await startEmbeddingServer({ dimensions: DIMENSIONS, batch: 256 });
    const notes = Object.fromEntries(
      Array.from({ length: NOTES }, (_, at) => [`${at % 3 === 0 ? 'trail' : 'rest'}/${at}.md`, bodyOf(at)]),
    );
    const embedder = async () =>
      openOpenAiCompatible({ baseUrl: server.baseUrl, model: 'm', dimensions: DIMENSIONS });
    let store: VectorStore | null = null;
    indexed = await openMeaningVault(notes, {
      embedder,
      openStore: async (dir, dimensions) => {
        const opened = await openLanceStore(dir, dimensions, { indexedFrom: NOTES });
        const { nearest } = opened;
        store = Object.assign(opened, {
          nearest: async (...given: Parameters<NonNullable<typeof nearest>>) => {
            const found = await nearest!.apply(opened, given);
            if (found !== null) asked += 1;
            return found;
          },
        });
        return store;
      },
    });
    plain = await openMeaningVault(notes, { embedder });
    for (const folder of [indexed, plain]) expect(await folder.embedded()).toBe(true);
    await store!.compact();
    const any = new Float32Array(DIMENSIONS).fill(1 / Math.sqrt(DIMENSIONS));
    await vi.waitUntil(async () => (await store!.nearest!(any, 1)) !== null, { timeout: 120_000 });
  }, 240_000);
  afterAll(async () => {
    await indexed.close();
    await plain.close();
    await server.close();
  });

  const answer = async (folder: MeaningVault, query: string, rule: string | null) => {
    const view = folder.vault.view(
      rule === null ? allowAll : { ...allowAll, readPaths: [parsePathRule(rule)] },
    );
    const { hits } = await folder.ask([{ type: 'vec', query }], { view });
    return hits.map(({ row, score }) => [row.path, score]);
  };

  it('asks it for the whole vault, and scores what it finds as the exact search does', async () => {
    for (const query of ['heron and reed', 'otter, ice', 'stone boat']) {
      const before = asked;
      expect(await answer(indexed, query, null)).toEqual(await answer(plain, query, null));
      expect(asked).toBe(before + 1);
    }
  });

  it('does not ask it for a part of the vault', async () => {
    const before = asked;
    expect(await answer(indexed, 'heron and reed', 'trail')).toEqual(
      await answer(plain, 'heron and reed', 'trail'),
    );
    expect(asked).toBe(before);
  });
});
