import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MeaningSetup, OpenedSearch } from '@grove/search';
import type { Vault } from '@grove/vault';
import type { ProgressFeed } from '../workspace/progress.ts';
import type { Embedding, EmbeddingState, EmbeddingTrouble } from './contract.ts';
import { followEmbedding } from './follow-embedding.ts';
import { chooseFormer, folderOfModel, recordModel, removeOthers } from './model-folders.ts';

/** What a vault is opened with for search by meaning. */
export interface VaultEmbedding extends EmbeddingState {
  /** Null: search is by words alone. */
  readonly meaning: MeaningSetup | null;
  /**
   * Goes on with it in the opened vault: tells how far the notes are embedded, ends former models when all are, and takes up
   * an embedder that comes later.
   *
   * @returns ends it
   */
  follow(opened: OpenedParts, onProblem: (cause: unknown) => void): () => void;
}

interface OpenedParts {
  readonly vault: Vault;
  readonly search: OpenedSearch;
  readonly progress: ProgressFeed;
}

/** A process of one call has to load the model first, and nobody else waits. */
const PATIENCE_OF_ONE_CALL_MS = 10_000;

const NO_VECTORS = 'No note is embedded yet; that is done while "grove start" or "grove stdio" runs.';

/**
 * How one vault uses the process's embedding: each model has a folder of its own, so that another one is built beside
 * the one before, which answers meanwhile.
 *
 * @param folder of all vectors of the vault, such as `<state>/index/vectors`
 * @example (await openEmbedding(join(stateDir, 'index', 'vectors'), embedding)).meaning?.dir
 */
export async function openEmbedding(
  folder: string,
  embedding: Embedding | EmbeddingTrouble | null,
): Promise<VaultEmbedding> {
  const none = { meaning: null, storeNote: () => null, follow: () => () => {} };
  if (embedding === null) return { ...none, problem: null };
  if ('problem' in embedding) return openLater(folder, embedding);
  const { embedder, openStore, storeNote, embeds } = embedding;
  const patienceMs = embedding.patienceMs ?? (embeds === 'always' ? undefined : PATIENCE_OF_ONE_CALL_MS);
  const name = folderOfModel(embedder.id);
  const dir = join(folder, name);
  const { former, kept } = await chooseFormer(folder, name, embedding);
  if (embeds === 'never' && former === null && !existsSync(join(dir, 'records.db')))
    return { ...none, problem: NO_VECTORS, storeNote };
  // What cannot be deleted now is tried again when all notes are embedded, and reported then.
  if (embeds === 'always') await removeOthers(folder, [name, kept]).catch(() => {});
  await recordModel(dir, embedding);
  return {
    meaning: {
      dir,
      embedder,
      openStore,
      ...(former === null ? {} : { former }),
      ...(embeds === 'always' ? {} : { background: false }),
      ...(patienceMs === undefined ? {} : { patienceMs }),
    },
    problem: null,
    storeNote,
    follow(opened, onProblem) {
      if (embeds !== 'always') return () => {};
      const endFormer = async () => {
        await opened.search.endFormer();
        await removeOthers(folder, [name]);
      };
      return followEmbedding(opened, () => void endFormer().catch(onProblem));
    },
  };
}

/** By words until the trouble has passed. */
function openLater(folder: string, trouble: EmbeddingTrouble): VaultEmbedding {
  let opened: VaultEmbedding | null = null;
  return {
    meaning: null,
    get problem() {
      return opened === null ? trouble.problem : opened.problem;
    },
    storeNote: () => opened?.storeNote() ?? null,
    follow(parts, onProblem) {
      let ended = false;
      let end = () => {
        ended = true;
      };
      const take = async (embedding: Embedding) => {
        const found = await openEmbedding(folder, embedding);
        if (ended || found.meaning === null) return await found.meaning?.former?.embedder.close();
        opened = found;
        parts.search.useMeaning(found.meaning);
        end = found.follow(parts, onProblem);
      };
      trouble.later?.then(take).catch(onProblem);
      return () => end();
    },
  };
}
