import { isGroveError } from '@grove/core';
import type { View } from '@grove/vault';
import type { MeaningHealth } from '../contract.ts';
import { MeaningIndex, type MeaningIndexOptions } from './meaning-index.ts';
import type { Embedder } from './port.ts';
import { QueryVectors } from './query-vectors.ts';

/** A former model that fails is not asked for a query for so long (ms). */
const REST_MS = 60_000;

/** A model's index, and the vectors of what is looked for in it. */
export interface Meaning {
  readonly index: MeaningIndex;
  readonly queries: QueryVectors;
}

/** A model that was used before: its folder, and an embedder for queries that is closed with it. */
export type FormerMeaning = Pick<MeaningIndexOptions, 'dir' | 'embedder'>;

export interface MeaningsOptions extends Omit<MeaningIndexOptions, 'isFormer'> {
  /** Answers where it reaches more notes, until it is ended. */
  readonly former?: FormerMeaning;
}

/** What search by meaning is opened with. */
export type MeaningSetup = Omit<MeaningsOptions, 'vault' | 'clock'>;

/**
 * The model of a vault and, while its vectors are made, the one before it. Each query is answered by one of them alone, for
 * vectors of two models cannot be compared: by that which reaches more notes of the View.
 */
export class Meanings {
  readonly current: Meaning;
  #former: Meaning | null = null;
  #restsUntil = 0;
  #uses = 0;
  #idle: (() => void) | null = null;

  /** See {@link MeaningIndex}. A former index that cannot be opened is done without. */
  constructor(options: MeaningsOptions) {
    const { former, ...rest } = options;
    this.current = open(rest);
    if (former === undefined) return;
    const embedder = watched(former.embedder, () => {
      this.#restsUntil = performance.now() + REST_MS;
    });
    try {
      this.#former = open({ ...rest, ...former, embedder, isFormer: true });
    } catch {
      void embedder.close();
    }
  }

  /** What a query of this View is answered by, kept open until `work` is done. */
  async using<Result>(view: View, work: (meaning: Meaning) => Promise<Result>): Promise<Result> {
    const meaning = this.of(view);
    if (meaning === this.current) return await work(meaning);
    this.#uses += 1;
    try {
      return await work(meaning);
    } finally {
      this.#uses -= 1;
      if (this.#uses === 0) this.#idle?.();
    }
  }

  /** Which model answers this View. */
  of(view: View): Meaning {
    if (this.#former === null || performance.now() < this.#restsUntil) return this.current;
    const ids = view.ids();
    return this.#former.index.done(ids) > this.current.index.done(ids) ? this.#former : this.current;
  }

  health(view: View): MeaningHealth {
    const answering = this.of(view);
    const { model, host } = answering.index.embedder;
    const former =
      answering === this.current ? null : { model, host, done: answering.index.done(view.ids()) };
    return { ...this.current.index.health(), former };
  }

  /** True when every one of these notes is embedded, also by a former model that goes on with what changes. */
  async settled(notes: readonly number[]): Promise<boolean> {
    const [isEmbedded] = await Promise.all([
      this.current.index.settled(notes),
      this.#former?.index.settled(notes),
    ]);
    return isEmbedded;
  }

  /** From now on the new model answers alone. Resolves when nothing reads the folder of the former one any more. */
  async endFormer(): Promise<void> {
    const former = this.#former;
    if (former === null) return;
    this.#former = null;
    if (this.#uses > 0)
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    await former.index.close();
    await former.index.embedder.close();
  }

  async close(): Promise<void> {
    await this.endFormer();
    await this.current.index.close();
  }
}

function open(options: MeaningIndexOptions): Meaning {
  return {
    index: new MeaningIndex(options),
    queries: new QueryVectors(options.embedder, options.patienceMs),
  };
}

/** Tells of an embedder that is found to be unavailable. */
function watched(embedder: Embedder, onFailure: () => void): Embedder {
  const told = (error: unknown): never => {
    if (isGroveError(error, 'embedder_unavailable')) onFailure();
    throw error;
  };
  const { id, model, host, dimensions, batch } = embedder;
  return {
    id,
    model,
    host,
    dimensions,
    batch,
    embedPassages: (texts, signal) => embedder.embedPassages(texts, signal).catch(told),
    embedQuery: (text, signal) => embedder.embedQuery(text, signal).catch(told),
    close: () => embedder.close(),
  };
}
