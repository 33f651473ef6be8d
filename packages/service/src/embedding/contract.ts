import type { Embedder, OpenVectorStore } from '@grove/search';

/** Search by meaning as a process has it, for all of its vaults. Whoever made it closes the embedder, after the vaults. */
export interface Embedding {
  readonly embedder: Embedder;
  readonly openStore: OpenVectorStore;
  /** Why vectors are not where they are as a rule, as a sentence; null when they are. */
  readonly storeNote: () => string | null;
  /**
   * When notes are embedded: always in the background; only while a call waits for it; never, and then vectors are used
   * only where there are some. The last two are for processes that end after one call.
   */
  readonly embeds: 'always' | 'when-awaited' | 'never';
}

/** Why notes cannot be searched by meaning, as a sentence, though somebody wished it. */
export interface EmbeddingTrouble {
  readonly problem: string;
}

/** What is known of search by meaning beside its own health. For the owner. */
export interface EmbeddingState {
  /** A sentence; null when nothing stands in the way, and where nobody wished it. */
  readonly problem: string | null;
  readonly storeNote: () => string | null;
}
