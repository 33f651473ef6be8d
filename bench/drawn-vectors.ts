import { createHash } from 'node:crypto';
import { openLocalEmbedder, vectorStores } from '@grove/embeddings';
import type { Embedder } from '@grove/search';
import { openOwnedVault } from '@grove/service';

/** How far the other vectors lie from them: the cosine of a vector and the one it is drawn around is about 0.85. */
const SPREAD = 0.6;

/**
 * Gives every note of a vault its vectors, in the data folder that a server is started on afterwards.
 *
 * @param sample texts that the local model embeds; the vectors of the others are drawn around theirs: as many and as near
 *   to each other, but of no meaning
 */
export async function fillVectors(root: string, dataDir: string, sample: number): Promise<void> {
  const local = await openLocalEmbedder();
  const embedder = sample === Number.POSITIVE_INFINITY ? local : around(local, sample);
  const stores = vectorStores(dataDir);
  const opened = await openOwnedVault({
    root,
    dataDir,
    kind: 'stdio',
    embedding: async () => ({ embedder, openStore: stores.open, storeNote: stores.note, embeds: 'always' }),
  });
  await opened.ready;
  const timer = setInterval(() => {
    const counts = opened.search.embeddedOf(opened.vault.ownerView());
    console.error(`${counts?.done} of ${counts?.total} notes have their vectors`);
  }, 30_000);
  const isWhole = await opened.search.embedded([...opened.vault.ownerView().ids()]);
  clearInterval(timer);
  await opened.close();
  await local.close();
  if (!isWhole) throw new Error('not every note could be embedded');
}

/** The local model for the first texts; from then on vectors around those that it made. */
function around(local: Embedder, sample: number): Embedder {
  const made: Float32Array[] = [];
  return {
    id: local.id,
    model: local.model,
    host: null,
    dimensions: local.dimensions,
    batch: local.batch,
    async embedPassages(texts, signal) {
      if (made.length < sample) {
        const vectors = await local.embedPassages(texts, signal);
        made.push(...vectors);
        return vectors;
      }
      return texts.map((text) => drawn(text, made));
    },
    embedQuery: (text, signal) => local.embedQuery(text, signal),
    close: async () => {},
  };
}

/** One vector for a text, always the same. */
function drawn(text: string, made: readonly Float32Array[]): Float32Array {
  const seed = createHash('sha256').update(text).digest();
  const base = made[seed.readUInt32LE(0) % made.length]!;
  let state = seed.readUInt32LE(4) | 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const size = (SPREAD / Math.sqrt(base.length)) * Math.sqrt(3);
  const vector = base.map((value) => value + (next() * 2 - 1) * size);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
