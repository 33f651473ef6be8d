import { stat } from 'node:fs/promises';
import { errorCode } from '@grove/core';
import type { StoredVector, VectorStore } from './port.ts';

/** A folder that held vectors and does not hold them any more. */
class VectorsLost extends Error {
  readonly code = 'vectors_damaged';
}

/**
 * A store of which is known that it is there, and that is opened when it is first needed: loading what it is made of takes
 * longer than all else of a start. Its index is not asked for until then.
 */
export class LaterStore implements VectorStore {
  readonly kind: VectorStore['kind'];
  readonly #dir: string;
  readonly #open: () => Promise<VectorStore>;
  #opening: Promise<VectorStore> | null = null;

  /**
   * @param kind of the store, as it was when it was last open
   * @param open called once, unless it rejects
   */
  constructor(kind: VectorStore['kind'], dir: string, open: () => Promise<VectorStore>) {
    this.kind = kind;
    this.#dir = dir;
    this.#open = open;
  }

  async *read(): AsyncIterable<readonly StoredVector[]> {
    yield* (await this.#opened()).read();
  }

  async get(keys: readonly string[]): Promise<readonly StoredVector[]> {
    return keys.length === 0 ? [] : await (await this.#opened()).get(keys);
  }

  async put(vectors: readonly StoredVector[]): Promise<void> {
    if (vectors.length > 0) await (await this.#opened()).put(vectors);
  }

  async remove(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await (await this.#opened()).remove(keys);
  }

  async nearest(vector: Float32Array, limit: number): Promise<readonly string[] | null> {
    return (await (await this.#opening)?.nearest?.(vector, limit)) ?? null;
  }

  async compact(): Promise<void> {
    await (await this.#opening)?.compact();
  }

  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => null);
    await opened?.close();
  }

  #opened(): Promise<VectorStore> {
    this.#opening ??= this.#openAgain().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  async #openAgain(): Promise<VectorStore> {
    try {
      await stat(this.#dir);
    } catch (error) {
      // It would be made anew, and hold the new vectors alone.
      if (errorCode(error) === 'ENOENT') throw new VectorsLost('The folder of the vectors is gone.');
      throw error;
    }
    const store = await this.#open();
    if (store.kind === this.kind) return store;
    await store.close();
    throw new VectorsLost('Vectors are kept in another kind of store from now on.');
  }
}
