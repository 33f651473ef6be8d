import { unavailable } from '../../unavailable.ts';

/** Texts of one call, and the vectors that are there already. */
export interface Task {
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
  readonly promise: Promise<readonly Float32Array[]>;
  /** How many processes have ended over it. */
  ends: number;
}

/** Which task goes first: queries, then passages, each in the order they came. */
export type Lane = 'query' | 'passages';

/** Tasks that wait in one lane; more are turned away rather than kept. */
const LANE_LIMIT = 256;

/** The tasks that wait for a model, in two lanes. */
export class Lanes {
  readonly #lanes: Record<Lane, Set<WaitingTask>> = { query: new Set(), passages: new Set() };

  /**
   * Puts a task into its lane.
   *
   * @param signal takes it out again and rejects it with its reason
   * @throws `embedder_unavailable` when the lane is full
   */
  add(lane: Lane, texts: readonly string[], signal: AbortSignal | undefined): Task {
    signal?.throwIfAborted();
    const tasks = this.#lanes[lane];
    if (tasks.size >= LANE_LIMIT)
      throw unavailable({ reason: `more than ${LANE_LIMIT} calls wait for it`, retryAfterMs: 1000 });
    const task = new WaitingTask(texts, signal, () => tasks.delete(task));
    tasks.add(task);
    return task;
  }

  /** The task whose text is next, which stays in its lane; undefined when none waits. */
  first(): Task | undefined {
    const { query, passages } = this.#lanes;
    return query.values().next().value ?? passages.values().next().value;
  }

  /** Adds the vector of a task's next text; the last one answers it. Nothing for a task that is out. */
  answer(task: Task, vector: Float32Array): void {
    task.vectors.push(vector);
    if (task.vectors.length === task.texts.length) (task as WaitingTask).settle(task.vectors);
  }

  /** Takes a task out with an error. */
  fail(task: Task, error: unknown): void {
    (task as WaitingTask).settle(null, error);
  }

  /** Takes all tasks out with an error. */
  failAll(error: unknown): void {
    for (const tasks of Object.values(this.#lanes)) for (const task of tasks) task.settle(null, error);
  }
}

class WaitingTask implements Task {
  readonly texts: readonly string[];
  readonly vectors: Float32Array[] = [];
  readonly promise: Promise<readonly Float32Array[]>;
  ends = 0;
  readonly settle: (vectors: readonly Float32Array[] | null, error?: unknown) => void;

  constructor(texts: readonly string[], signal: AbortSignal | undefined, leave: () => void) {
    this.texts = texts;
    const { promise, resolve, reject } = Promise.withResolvers<readonly Float32Array[]>();
    this.promise = promise;
    const abort = () => this.settle(null, signal?.reason);
    this.settle = (vectors, error) => {
      leave();
      signal?.removeEventListener('abort', abort);
      if (vectors === null) reject(error);
      else resolve(vectors);
    };
    signal?.addEventListener('abort', abort, { once: true });
  }
}
