import type { Embedder } from '@grove/search';
import { type Trouble, troubleOf, unavailable } from '../unavailable.ts';
import type { ModelOptions } from './model/load-model.ts';
import type { ProbeResult } from './probe/probe.ts';
import { type Lane, Lanes, type Task } from './thread/lanes.ts';
import { type ModelThread, startModelThread, ThreadEnded } from './thread/model-thread.ts';

/** How long what is kept in mind. */
export interface Pauses {
  /** After a failure nothing is loaded for at least this long; calls are answered with the failure. */
  readonly failureMs: number;
  /** Threads that died within this time are counted together. */
  readonly deathsWithinMs: number;
}

/** What a local embedder is made of. */
export interface LocalParts {
  readonly model: ModelOptions;
  readonly name: string;
  readonly dimensions: number;
  readonly queryPrefix: string;
  /** Asked before the first load. */
  probe(signal: AbortSignal): Promise<ProbeResult>;
  readonly pauses: Pauses;
  readonly threadScript?: URL;
}

/** Threads that may die before the model is given up for a while. */
const DEATHS = 3;
/** Threads that may die over one call. */
const DEATHS_OF_TASK = 2;

/**
 * An {@link Embedder} over a model on a thread. One text is with the thread at any time, so that a query waits for at
 * most one passage.
 */
export class LocalEmbedder implements Embedder {
  readonly id: string;
  readonly model: string;
  readonly host = null;
  readonly dimensions: number;
  readonly batch = 64;
  readonly #parts: LocalParts;
  readonly #lanes = new Lanes();
  #thread: ModelThread | null = null;
  #probed = false;
  #deaths: number[] = [];
  #failure: { readonly trouble: Trouble; readonly until: number } | null = null;
  #working: Promise<void> | null = null;
  readonly #closing = new AbortController();

  constructor(parts: LocalParts) {
    this.#parts = parts;
    this.id = `${parts.name}/${parts.dimensions}`;
    this.model = parts.name;
    this.dimensions = parts.dimensions;
  }

  async embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]> {
    if (texts.length > this.batch) throw new RangeError(`At most ${this.batch} texts a call`);
    return texts.length === 0 ? [] : await this.#embed('passages', texts, signal);
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    const [vector] = await this.#embed('query', [this.#parts.queryPrefix + text], signal);
    return vector!;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#lanes.failAll(closed());
    await this.#working;
    await this.#thread?.close();
  }

  #embed(
    lane: Lane,
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Float32Array[]> {
    if (this.#closing.signal.aborted) throw closed();
    this.#throwFailure();
    const task = this.#lanes.add(lane, texts, signal);
    this.#working ??= this.#work();
    return task.promise;
  }

  /** Embeds until nothing waits. The next text is chosen only when the thread is free for it. */
  async #work(): Promise<void> {
    while (this.#lanes.first() !== undefined) {
      const thread = await this.#ready().catch((error) => {
        if (!(error instanceof ThreadEnded)) this.#lanes.failAll(error);
        return null;
      });
      const task = this.#lanes.first();
      if (thread === null || task === undefined) continue;
      thread.keepProcess(true);
      await this.#answer(thread, task);
      thread.keepProcess(false);
    }
    // In the same turn as the last look at the lanes: who adds a task after it has to start the work again.
    this.#working = null;
  }

  async #answer(thread: ModelThread, task: Task): Promise<void> {
    try {
      this.#lanes.answer(task, await thread.embed(task.texts[task.vectors.length]!));
    } catch (error) {
      if (!(error instanceof ThreadEnded)) this.#lanes.fail(task, error);
      else if (++task.ends === DEATHS_OF_TASK)
        this.#lanes.fail(task, unavailable({ reason: 'the thread of the local model died over a text' }));
    }
  }

  /** The thread with the model, started when there is none. */
  async #ready(): Promise<ModelThread> {
    if (this.#closing.signal.aborted) throw closed();
    if (this.#thread !== null) return this.#thread;
    try {
      await this.#probe();
      this.#judgeDeaths();
      this.#thread = await startModelThread(this.#parts.model, () => this.#lost(), this.#parts.threadScript);
      return this.#thread;
    } catch (error) {
      if (error instanceof ThreadEnded) throw error;
      const trouble = troubleOf(error, 'the local model cannot be loaded');
      const pause = Math.max(this.#parts.pauses.failureMs, trouble.retryAfterMs ?? 0);
      this.#failure = { trouble, until: performance.now() + pause };
      throw this.#unavailable(trouble, pause);
    }
  }

  async #probe(): Promise<void> {
    if (this.#probed) return;
    const result = await this.#parts.probe(this.#closing.signal);
    if (!result.works) throw unavailable(result.trouble);
    this.#probed = true;
  }

  #judgeDeaths(): void {
    const since = performance.now() - this.#parts.pauses.deathsWithinMs;
    this.#deaths = this.#deaths.filter((at) => at >= since);
    if (this.#deaths.length < DEATHS) return;
    this.#deaths = [];
    throw unavailable({ reason: 'the thread of the local model died again and again' });
  }

  #lost(): void {
    this.#thread = null;
    if (!this.#closing.signal.aborted) this.#deaths.push(performance.now());
  }

  #throwFailure(): void {
    const left = (this.#failure?.until ?? 0) - performance.now();
    if (this.#failure !== null && left > 0) throw this.#unavailable(this.#failure.trouble, left);
    this.#failure = null;
  }

  #unavailable(trouble: Trouble, retryAfterMs: number) {
    return unavailable({ ...trouble, retryAfterMs: Math.ceil(retryAfterMs) });
  }
}

const closed = () => unavailable({ reason: 'the local model was closed' });
