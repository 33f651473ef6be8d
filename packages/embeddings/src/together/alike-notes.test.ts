import { allowAll, parsePathRule, type View } from '@grove/vault';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOpenAiCompatible } from '../remote/openai-compatible.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../testing/embedding-server.ts';
import { type MeaningVault, openMeaningVault } from '../testing/meaning-vault.ts';

const DIMENSIONS = 64;
const PATIENCE = 60_000;

/** A text of words that no other text has. */
const textOf = (name: string, words: number): string =>
  Array.from({ length: words }, (_, at) => `${name}${at}`).join(' ');

/** The text with one of its words replaced. */
const nearly = (text: string): string => text.replace(/\S+$/, 'otherwise');

let server: EmbeddingServer;
beforeAll(async () => {
  server = await startEmbeddingServer({ dimensions: DIMENSIONS, batch: 64 });
});
afterAll(() => server.close());

const open = (notes: Readonly<Record<string, string>>): Promise<MeaningVault> =>
  openMeaningVault(notes, {
    embedder: async () =>
      openOpenAiCompatible({ baseUrl: server.baseUrl, model: 'm', dimensions: DIMENSIONS }),
  });

async function pairsOf({ search, vault }: MeaningVault, view: View = vault.ownerView()): Promise<string[]> {
  const found = await search.alikeNotes(view, PATIENCE);
  expect(found?.isWhole).toBe(true);
  return (found?.pairs ?? []).map(({ a, b }) => [a.path, b.path].sort().join(' = ')).sort();
}

describe('notes that say nearly the same', () => {
  it('are those of nearly the same words and length, in what a View shows, as they come, change and go', async () => {
    const texts = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`n${at}.md`, textOf(`w${at}x`, 80 + (at % 40))]),
    );
    const folder = await open({
      ...texts,
      'A/copy.md': nearly(texts['n7.md']!),
      'B/copy.md': nearly(texts['n250.md']!),
      'longer.md': `${texts['n8.md']} ${textOf('more', 60)}`,
      'short 1.md': 'a b c d e',
      'short 2.md': 'a b c d f',
    });
    expect(await folder.embedded()).toBe(true);
    expect(await pairsOf(folder)).toEqual(['A/copy.md = n7.md', 'B/copy.md = n250.md']);
    const narrow = folder.vault.view({ ...allowAll, denyPaths: [parsePathRule('A')] });
    expect(await pairsOf(folder, narrow)).toEqual(['B/copy.md = n250.md']);

    await folder.write({ 'A/copy.md': textOf('new', 90), 'C.md': nearly(texts['n9.md']!) });
    await folder.remove('n250.md');
    expect(await folder.embedded()).toBe(true);
    expect(await pairsOf(folder)).toEqual(['C.md = n9.md']);
    const again = await folder.reopen();
    expect(await again.embedded()).toBe(true);
    expect(await pairsOf(again)).toEqual(['C.md = n9.md']);
    await again.close();
  });

  it('are told as far as they are known to who does not wait', async () => {
    const folder = await open({ 'A.md': textOf('a', 80), 'B.md': nearly(textOf('a', 80)) });
    expect(await folder.embedded()).toBe(true);
    const view = folder.vault.ownerView();
    await folder.search.alikeNotes(view, 0);
    expect(await pairsOf(folder)).toEqual(['A.md = B.md']);
    expect(await folder.search.alikeNotes(view, 0)).toMatchObject({ isWhole: true });
    await folder.close();
  });
});
