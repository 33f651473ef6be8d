/**
 * Turns texts into vectors of one space. Texts alike in meaning have a great dot product; every vector has length 1, so
 * that it is the cosine.
 *
 * Methods throw `embedder_unavailable`: `reason` (a sentence), `retryAfterMs` (null: at the embedder's own pace),
 * `permanent` (true: nothing but the owner mends it, such as a wrong key).
 */
export interface Embedder {
  /** Names model, form and dimensions, such as `bge-small-en-v1.5-int8/384`. Vectors of two ids are never compared. */
  readonly id: string;
  /** The model as people name it. */
  readonly model: string;
  /** Where the texts go, such as `api.voyageai.com`; null: they stay on this machine. */
  readonly host: string | null;
  readonly dimensions: number;
  /** Most texts that one call of {@link embedPassages} takes. */
  readonly batch: number;
  /** Vectors of parts of notes, in the order of the texts. The same text gives the same vector in any company. */
  embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
  /** Vector of what somebody looks for. Goes before passages that wait. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** What its owner should know of how it runs, as a sentence; null for nothing. */
  note?(): string | null;
  close(): Promise<void>;
}

/** A vector under the key of the text that it was made of. */
export interface StoredVector {
  readonly key: string;
  readonly vector: Float32Array;
}

/**
 * Vectors of one model on disk. Derived: whoever finds it damaged deletes its folder. Methods throw with a `code`:
 * `vectors_damaged`, or the system's own (`ENOSPC`).
 */
export interface VectorStore {
  readonly kind: 'lancedb' | 'sqlite';
  /** Every vector, in parts of some thousands. */
  read(): AsyncIterable<readonly StoredVector[]>;
  /** Those of the keys that are there, in any order. */
  get(keys: readonly string[]): Promise<readonly StoredVector[]>;
  /** Replaces by key: a key is there once, however many calls run at the same time. Durable when it resolves. */
  put(vectors: readonly StoredVector[]): Promise<void>;
  /** Keys that are not there are ignored. */
  remove(keys: readonly string[]): Promise<void>;
  /**
   * Keys of about the nearest vectors, found by an index without a look at each; null while there is none, which a store
   * keeps for very many vectors alone. What changed since may be missing or still there.
   */
  nearest?(vector: Float32Array, limit: number): Promise<readonly string[] | null>;
  /** Gives back the room of what was replaced and removed; bounded work, to be called now and then. */
  compact(): Promise<void>;
  close(): Promise<void>;
}
