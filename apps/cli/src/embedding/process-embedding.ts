import { isGroveError } from '@grove/core';
import type { Embedding, EmbeddingTrouble } from '@grove/service';
import type { EmbedderSettings } from './embedder-settings.ts';
import { rememberedDimensions } from './remembered-dimensions.ts';

/** One embedder for all vaults of a process. */
export interface ProcessEmbedding {
  /** Made with the first call; null where it is switched off. */
  open(): Promise<Embedding | EmbeddingTrouble | null>;
  /** After the vaults. */
  close(): Promise<void>;
}

/** How long the start of a vault waits for a server to say what its vectors are like. */
const ASK_MS = 5_000;

/**
 * The embedder of a process. Nothing is loaded before a vault is opened, and the model itself not before its first text.
 *
 * @param dataDir where is remembered what was found out about machine and models
 */
export function processEmbedding(
  settings: EmbedderSettings,
  dataDir: string,
  embeds: Embedding['embeds'],
): ProcessEmbedding {
  let opened: Promise<Embedding | EmbeddingTrouble | null> | null = null;
  return {
    open() {
      opened ??= open(settings, dataDir, embeds);
      return opened;
    },
    async close() {
      const embedding = await opened?.catch(() => null);
      if (embedding !== null && embedding !== undefined && 'embedder' in embedding)
        await embedding.embedder.close();
    },
  };
}

async function open(
  settings: EmbedderSettings,
  dataDir: string,
  embeds: Embedding['embeds'],
): Promise<Embedding | EmbeddingTrouble | null> {
  if (settings.kind === 'off') return null;
  try {
    const { vectorStores } = await import('@grove/embeddings');
    const stores = vectorStores(dataDir);
    // Whoever stays is asked soon; whoever ends after one call may need no model.
    const embedder = await openEmbedder(settings, dataDir, embeds === 'always');
    return { embedder, openStore: stores.open, storeNote: stores.note, embeds };
  } catch (error) {
    if (!isGroveError(error, 'embedder_unavailable')) throw error;
    const mend = error.data.permanent === true ? `${error.hint} ` : '';
    return {
      problem: `${error.message} ${mend}Start Grove again when it answers, or set GROVE_EMBEDDER_DIMENSIONS.`,
    };
  }
}

async function openEmbedder(
  settings: Exclude<EmbedderSettings, { kind: 'off' }>,
  dataDir: string,
  loadNow: boolean,
): Promise<Embedding['embedder']> {
  const { askDimensions, openLocalEmbedder, openOpenAiCompatible, openVoyage } = await import(
    '@grove/embeddings'
  );
  switch (settings.kind) {
    case 'local':
      return await openLocalEmbedder({ loadNow });
    case 'voyage': {
      const { key, model, dimensions, url } = settings;
      return openVoyage({
        key,
        ...(model === null ? {} : { model }),
        ...(dimensions === null ? {} : { dimensions }),
        ...(url === null ? {} : { baseUrl: url }),
      });
    }
    case 'openai': {
      const { url, model, key } = settings;
      const server = { baseUrl: url, model, ...(key === null ? {} : { key }) };
      const dimensions =
        settings.dimensions ??
        (await rememberedDimensions(dataDir, `${url} ${model}`, () =>
          askDimensions({ ...server, limitMs: ASK_MS }),
        ));
      return openOpenAiCompatible({ ...server, dimensions });
    }
  }
}
