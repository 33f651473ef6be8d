import { isGroveError } from '@grove/core';
import { inTime } from './in-time.ts';
import type { Embedder } from './port.ts';

/** Longest wait (ms) of a search for the vector of its query; after it, words alone answer. */
export const PATIENCE_MS = 1_000;
const KEPT = 64;

/** Vectors of what is searched for: the last ones are kept, since pages of one search ask for the same. */
export class QueryVectors {
  readonly #embedder: Embedder;
  readonly #kept = new Map<string, Promise<Float32Array>>();

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
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
      return await inTime<Float32Array | null>(vector, PATIENCE_MS, null);
    } catch (error) {
      this.#kept.delete(key);
      if (isGroveError(error, 'embedder_unavailable')) return null;
      throw error;
    }
  }

  async #embed(text: string, asPassage: boolean): Promise<Float32Array> {
    if (!asPassage) return await this.#embedder.embedQuery(text);
    const [vector] = await this.#embedder.embedPassages([text]);
    if (vector === undefined) throw new TypeError('an embedder gives a vector a text');
    return vector;
  }
}
