import { isGroveError } from '@grove/core';
import type { Embedding, EmbeddingTrouble } from '@grove/service';
import type { EmbedderSettings } from '../settings/embedder-settings.ts';
import { type FormerModels, formerModels, type KnownSettings } from './former-models.ts';
import { rememberedDimensions } from './remembered-dimensions.ts';
import { whenItAnswers } from './when-it-answers.ts';

/** One embedder for all vaults of a process. */
export interface ProcessEmbedding {
  /**
   * Resolves when the local model is being loaded, beside whatever else a start has to do. It is given up again where
   * nobody opens it soon.
   */
  begin(): Promise<void>;
  /** Made with the first call; null where it is switched off. */
  open(): Promise<Embedding | EmbeddingTrouble | null>;
  /** After the vaults. */
  close(): Promise<void>;
}

/** How long the start of a vault waits for a server to say what its vectors are like. */
const ASK_MS = 5_000;
/** How long what was begun waits to be opened. */
const UNOPENED_MS = 15_000;

/**
 * The embedder of a process. Nothing is loaded before it is begun or a vault is opened; the local model is then by a
 * process that stays, and with the first text by one that ends after a call.
 *
 * @param dataDir where is remembered what was found out about machine and models
 */
export function processEmbedding(
  settings: EmbedderSettings,
  dataDir: string,
  embeds: Embedding['embeds'],
  unopenedMs = UNOPENED_MS,
): ProcessEmbedding {
  const closing = new AbortController();
  const closers: (() => Promise<void>)[] = [];
  const openOnce = async (known: KnownSettings): Promise<Embedding> => {
    const { vectorStores } = await import('@grove/embeddings');
    const stores = vectorStores(dataDir);
    const openKnown = (wanted: KnownSettings) => openEmbedder(wanted, dataDir);
    // Whoever stays is asked soon; whoever ends after one call may need no model.
    const embedder = await openEmbedder(known, dataDir, embeds === 'always');
    const models: FormerModels = formerModels(known, embedder.host, openKnown);
    closers.push(
      () => models.close(),
      () => embedder.close(),
    );
    if (closing.signal.aborted) await closeAll(closers);
    return { embedder, openStore: stores.open, storeNote: stores.note, embeds, models };
  };
  let opened: Promise<Embedding | EmbeddingTrouble | null> | null = null;
  let unopened: NodeJS.Timeout | undefined;
  const open: ProcessEmbedding['open'] = () => {
    clearTimeout(unopened);
    opened ??= settings.kind === 'off' ? Promise.resolve(null) : openOrWait(() => openOnce(settings));
    return opened;
  };
  return {
    async begin() {
      if (settings.kind !== 'local') return;
      // Whoever opens it hears of a failure.
      await open().catch(() => {});
      unopened = setTimeout(() => {
        opened = null;
        void closeAll(closers);
      }, unopenedMs).unref();
    },
    open,
    async close() {
      clearTimeout(unopened);
      closing.abort();
      await opened?.catch(() => null);
      await closeAll(closers);
    },
  };

  async function openOrWait(openIt: () => Promise<Embedding>): Promise<Embedding | EmbeddingTrouble> {
    try {
      return await openIt();
    } catch (error) {
      if (!isGroveError(error, 'embedder_unavailable')) throw error;
      if (embeds !== 'always') return { problem: `${sentence(error)} ${BY_HAND}` };
      let last: unknown = error;
      const told = (later: unknown) => {
        last = later;
      };
      const later = whenItAnswers(openIt, { signal: closing.signal, told });
      return {
        get problem() {
          return `${sentence(last)} ${BY_ITSELF}`;
        },
        later,
      };
    }
  }
}

/** What is to be done where nobody goes on asking. */
const BY_HAND = 'Try again when it answers, or set GROVE_EMBEDDER_DIMENSIONS.';
const BY_ITSELF =
  'Grove goes on asking and embeds as soon as it answers; with GROVE_EMBEDDER_DIMENSIONS set it need not ask.';

function sentence(error: unknown): string {
  if (!isGroveError(error)) return `The embedder cannot be opened: ${String(error)}.`;
  return error.data.permanent === true ? `${error.message} ${error.hint}` : error.message;
}

async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  for (const close of closers.splice(0)) await close();
}

async function openEmbedder(
  settings: KnownSettings,
  dataDir: string,
  loadNow = false,
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
