import type { Embedder } from '@grove/search';
import { type Trouble, troubleOf, unavailable } from '../unavailable.ts';
import type { ModelOptions } from './model/load-model.ts';
import type { RuntimeName } from './model/runtime.ts';
import { type Lane, Lanes, type Task } from './process/lanes.ts';
import {
  type ModelProcess,
  ProcessEnded,
  type ProcessOptions,
  startModelProcess,
} from './process/model-process.ts';

/** How long what is kept in mind. */
export interface Pauses {
  /** After a failure nothing is loaded for this long, twice as long after each further one, up to {@link longestMs}. */
  readonly failureMs: number;
  readonly longestMs: number;
  /** Processes that died within this time are counted together. */
  readonly deathsWithinMs: number;
}

/** What a local embedder is made of. */
export interface LocalParts {
  readonly model: ModelOptions;
  readonly name: string;
  readonly dimensions: number;
  readonly queryPrefix: string;
  readonly pauses: Pauses;
  readonly process: ProcessOptions;
}

/** Processes that may die before the model is given up for a while. */
const DEATHS = 3;
/** Processes that may die over one call. */
const DEATHS_OF_TASK = 2;

/**
 * An {@link Embedder} over a model in a process of its own. One text is with it at any time, so that a query waits for
 * at most one passage.
 */
export class LocalEmbedder implements Embedder {
  readonly id: string;
  readonly model: string;
  readonly host = null;
  readonly dimensions: number;
  /** Small: a text that has just come waits for one batch. Larger ones would not be faster. */
  readonly batch = 32;
  readonly #parts: LocalParts;
  readonly #lanes = new Lanes();
  readonly #closing = new AbortController();
  #process: ModelProcess | null = null;
  #starting: Promise<ModelProcess> | null = null;
  #runtime: RuntimeName | null = null;
  #deaths: number[] = [];
  #failures = 0;
  #failure: { readonly trouble: Trouble; readonly until: number } | null = null;
  #working: Promise<void> | null = null;

  constructor(parts: LocalParts) {
    this.#parts = parts;
    this.id = `${parts.name}/${parts.dimensions}`;
    this.model = parts.name;
    this.dimensions = parts.dimensions;
  }

  note(): string | null {
    if (this.#runtime !== 'onnxruntime-web') return null;
    return 'The model runs on onnxruntime-web, several times as slow: onnxruntime-node does not run on this machine.';
  }

  /** Loads the model now, so that the first text need not wait for it. What goes wrong is told to the first text. */
  load(): void {
    this.#ready().catch(() => {});
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
    await this.#starting?.catch(() => {});
    await this.#process?.close();
    await this.#working;
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

  /** Embeds until nothing waits. The next text is chosen only when the process is free for it. */
  async #work(): Promise<void> {
    while (this.#lanes.first() !== undefined) {
      const model = await this.#ready().catch((error) => {
        this.#lanes.failAll(error);
        return null;
      });
      const task = this.#lanes.first();
      if (model === null || task === undefined) continue;
      model.keepProcess(true);
      await this.#answer(model, task);
      model.keepProcess(false);
    }
    // In the same turn as the last look at the lanes: who adds a task after it has to start the work again.
    this.#working = null;
  }

  async #answer(model: ModelProcess, task: Task): Promise<void> {
    try {
      this.#lanes.answer(task, await model.embed(task.texts[task.vectors.length]!));
    } catch (error) {
      if (!(error instanceof ProcessEnded)) this.#lanes.fail(task, error);
      else if (++task.ends === DEATHS_OF_TASK)
        this.#lanes.fail(
          task,
          unavailable({ reason: `the process of the local model ended over a text (${error.how})` }),
        );
    }
  }

  /** The process with the model, started when there is none. */
  async #ready(): Promise<ModelProcess> {
    if (this.#process !== null) return this.#process;
    this.#starting ??= this.#start().finally(() => {
      this.#starting = null;
    });
    return await this.#starting;
  }

  async #start(): Promise<ModelProcess> {
    const { model, pauses, process } = this.#parts;
    try {
      this.#judgeDeaths();
      const { signal } = this.#closing;
      const started = await startModelProcess(model, signal, () => this.#lost(), process);
      if (signal.aborted) await started.close();
      this.#process = started;
      this.#failures = 0;
      this.#runtime = started.runtime;
      return started;
    } catch (error) {
      if (this.#closing.signal.aborted) throw closed();
      const trouble = troubleOf(error, 'the local model cannot be loaded');
      const pause = Math.min(pauses.failureMs * 2 ** this.#failures++, pauses.longestMs);
      this.#failure = { trouble, until: performance.now() + pause };
      throw this.#unavailable(trouble, pause);
    }
  }

  #judgeDeaths(): void {
    const since = performance.now() - this.#parts.pauses.deathsWithinMs;
    this.#deaths = this.#deaths.filter((at) => at >= since);
    if (this.#deaths.length < DEATHS) return;
    this.#deaths = [];
    throw unavailable({ reason: 'the process of the local model ended again and again' });
  }

  #lost(): void {
    this.#process = null;
    this.#deaths.push(performance.now());
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
