import { openLocalEmbedder, vectorStores } from '@grove/embeddings';
import type { Embedder } from '@grove/search';
import { describeWithPrograms } from '@grove/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Loose } from '../testing/opened.ts';
import { openTwoSides } from '../testing/two-sides.ts';

const HOUSE =
  '# House\n\nThe boiler in the cellar is serviced each autumn by the plumber from the village, who also looks at the chimney and writes both into the green book.\n\n';
const GARDEN =
  '## Garden\n\nBeans climb on hazel rods along the south wall; they are sown in the middle of May, once the nights are mild, two to a rod and a finger deep.\n\n';
const CAR = '## Car\n\nWinter tyres go on in October, and the old ones lie in the shed.\n';
const PETS = '## Pets\n\nThe kitten naps on a warm windowsill and purrs while it dreams.\n';
const waited = { timeout: 60_000, interval: 200 };

/** The real model, and the texts that it was given. */
async function countingEmbedder(): Promise<{ readonly embedder: Embedder; readonly texts: string[] }> {
  const model = await openLocalEmbedder({ threads: 1 });
  onTestFinished(() => model.close());
  const texts: string[] = [];
  const embedder: Embedder = {
    id: model.id,
    model: model.model,
    host: model.host,
    dimensions: model.dimensions,
    batch: model.batch,
    embedPassages: (passages, signal) => {
      texts.push(...passages);
      return model.embedPassages(passages, signal);
    },
    embedQuery: (text, signal) => model.embedQuery(text, signal),
    close: () => model.close(),
  };
  return { embedder, texts };
}

describeWithPrograms('a note that was edited elsewhere', ['git'], () => {
  it('is found by words and by meaning once it is pulled, and only what changed in it is embedded', async () => {
    const { embedder, texts } = await countingEmbedder();
    const { vault, elsewhere } = await openTwoSides(
      { 'House.md': HOUSE + GARDEN + CAR, 'Other.md': '# Other\n\nNothing here changes.\n' },
      {
        sync: { byItself: true, mode: 'pull', pullMs: 300 },
        embedding: async () => {
          const stores = vectorStores('/dev/null');
          return {
            embedder,
            openStore: stores.open,
            storeNote: stores.note,
            embeds: 'always',
            patienceMs: 60_000,
          };
        },
      },
    );
    const embedded = () => {
      const { opened } = vault;
      return opened.search.embedded([...opened.vault.ownerView().ids()]);
    };
    const first = async (query: string): Promise<Loose> => (await vault.ok('query', { query })).hits[0];
    expect(await embedded()).toBe(true);
    const before = texts.length;
    elsewhere({ 'House.md': HOUSE + GARDEN + PETS, 'Added.md': '# Added\n\nAn aardvark digs.\n' });
    await vi.waitFor(async () => expect((await first('aardvark'))?.path).toBe('Added.md'), waited);
    expect((await first('windowsill'))?.path).toBe('House.md');
    expect(await embedded()).toBe(true);
    expect(await first('a sleeping cat')).toMatchObject({ path: 'House.md', heading: 'Pets' });
    const anew = texts.slice(before).join('\n');
    expect(anew).toContain('kitten');
    expect(anew).toContain('aardvark');
    for (const kept of ['boiler', 'Beans climb', 'Nothing here']) expect(anew).not.toContain(kept);
  });
});
