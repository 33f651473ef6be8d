import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenSearchOptions } from '@grove/search';
import type { Embedding, EmbeddingState, EmbeddingTrouble } from './contract.ts';

/** What a vault is opened with for search by meaning. */
export interface VaultEmbedding extends EmbeddingState {
  /** Null: search is by words alone. */
  readonly meaning: NonNullable<OpenSearchOptions['meaning']> | null;
  /** Deletes the vectors of models that were used before. */
  removeFormer(): Promise<void>;
}

/** A process of one call has to load the model first, and nobody else waits. */
const PATIENCE_OF_ONE_CALL_MS = 10_000;

const NO_VECTORS = 'No note is embedded yet; that is done while "grove start" or "grove stdio" runs.';

/**
 * How one vault uses the process's embedding: each model has a folder of its own, so that another one is built beside
 * the one before.
 *
 * @param folder of all vectors of the vault, such as `<state>/index/vectors`
 * @example openEmbedding(join(stateDir, 'index', 'vectors'), embedding).meaning?.dir
 */
export function openEmbedding(
  folder: string,
  embedding: Embedding | EmbeddingTrouble | null,
): VaultEmbedding {
  const none = { meaning: null, removeFormer: async () => {} };
  if (embedding === null) return { ...none, problem: null, storeNote: () => null };
  if ('problem' in embedding) return { ...none, problem: embedding.problem, storeNote: () => null };
  const { embedder, openStore, storeNote, embeds } = embedding;
  const name = folderName(embedder.id);
  const dir = join(folder, name);
  if (embeds === 'never' && !existsSync(join(dir, 'records.db')))
    return { ...none, problem: NO_VECTORS, storeNote };
  return {
    meaning: {
      dir,
      embedder,
      openStore,
      ...(embeds === 'always' ? {} : { background: false, patienceMs: PATIENCE_OF_ONE_CALL_MS }),
    },
    problem: null,
    storeNote,
    async removeFormer() {
      const entries = await readdir(folder).catch(() => []);
      for (const entry of entries)
        if (entry !== name) await rm(join(folder, entry), { recursive: true, force: true });
    },
  };
}

/** Readable, and another one for each id. */
function folderName(id: string): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 8);
  return `${id.replaceAll(/[^\w.-]+/g, '-').slice(0, 60)}-${hash}`;
}
