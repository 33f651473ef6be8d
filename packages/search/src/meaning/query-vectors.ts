import { isGroveError } from '@grove/core';
import { inTime } from './in-time.ts';
import type { Embedder } from './port.ts';

/** Longest wait (ms) of a search for the vector of its query, unless told; after it, words alone answer. */
const PATIENCE_MS = 1_000;
/** While the embedder was last seen to take longer, nobody waits longer than this for it. */
const WHEN_SLOW_MS = 50;
const KEPT = 64;

/** Vectors of what is searched for: the last ones are kept, since pages of one search ask for the same. */
export class QueryVectors {
  /** How long (ms) a search waits for what it needs of vectors. */
  readonly patienceMs: number;
  readonly #embedder: Embedder;
  #isSlow = false;
  readonly #kept = new Map<string, Promise<Float32Array>>();

  constructor(embedder: Embedder, patienceMs = PATIENCE_MS) {
    this.#embedder = embedder;
    this.patienceMs = patienceMs;
  }

  /**
   * The vector of a question, or (`asPassage`) of a text that an answer could look like; null when the embedder does not
   * give it in time.
   */
  async of(text: string, asPassage: boolean): Promise<Float32Array | null> {
    const key = `${asPassage}\n${text}`;
    const vector = this.#kept.get(key) ?? this.#embed(text, asPassage);
    this.#kept.delete(key);
    this.#kept.set(key, vector);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
    try {
      const patience = this.#isSlow ? WHEN_SLOW_MS : this.patienceMs;
      const found = await inTime<Float32Array | null>(vector, patience, null);
      if (found === null) this.#isSlow = true;
      return found;
    } catch (error) {
      this.#kept.delete(key);
      if (isGroveError(error, 'embedder_unavailable')) return null;
      throw error;
    }
  }

  async #embed(text: string, asPassage: boolean): Promise<Float32Array> {
    const asked = performance.now();
    const [vector] = asPassage
      ? await this.#embedder.embedPassages([text])
      : [await this.#embedder.embedQuery(text)];
    if (vector === undefined) throw new TypeError('an embedder gives a vector a text');
    if (performance.now() - asked < this.patienceMs) this.#isSlow = false;
    return vector;
  }
}
