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
  /** Longest wait (ms) of a search for vectors; left out: as `embeds` has it, which a busy machine may find short. */
  readonly patienceMs?: number;
  /** How models of former settings are opened; left out: they do not answer while this one's vectors are made. */
  readonly models?: Models;
}

/** A model as the folder of its vectors names it. */
export interface ModelRecord {
  readonly id: string;
  /** Such as `local` or `voyage`. */
  readonly kind: string;
  readonly model: string;
  /** Where its texts went; null: they stayed on this machine. */
  readonly host: string | null;
  readonly dimensions: number;
}

/** The models that the present settings reach. */
export interface Models {
  /** Of the model that is set up. */
  readonly kind: string;
  /**
   * An embedder of a model that was set up before; whoever gets it closes it. Null where the present settings do not name
   * its host.
   */
  reopen(model: ModelRecord): Promise<Embedder | null>;
}

/** Why notes cannot be searched by meaning, as a sentence, though somebody wished it. */
export interface EmbeddingTrouble {
  /** As it is when it is asked for. */
  readonly problem: string;
  /** Comes when the trouble has passed by itself; left out for a process that does not wait for it. Never rejects. */
  readonly later?: Promise<Embedding>;
}

/** What is known of search by meaning beside its own health. For the owner. */
export interface EmbeddingState {
  /** A sentence; null when nothing stands in the way, and where nobody wished it. */
  readonly problem: string | null;
  readonly storeNote: () => string | null;
}
