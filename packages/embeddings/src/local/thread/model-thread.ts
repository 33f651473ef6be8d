import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { unavailable } from '../../unavailable.ts';
import type { FromThread, ThreadStart, ToThread } from './thread-messages.ts';

/** Thrown to whoever waits for a thread that has ended. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

/** Loading takes a fraction of a second; a slow disk may need some. */
const LOAD_LIMIT_MS = 120_000;
/** The longest text takes a fraction of a second. */
const RUN_LIMIT_MS = 60_000;
const CLOSE_LIMIT_MS = 5_000;

/** The local model on a thread of its own. */
export interface ModelThread {
  /** Embeds one text; the next one waits until this is answered. */
  embed(text: string): Promise<Float32Array>;
  /** While false, as it is at first, the process may end without the thread. */
  keepProcess(keep: boolean): void;
  /** Ends the thread; a run that is under way is waited for. */
  close(): Promise<void>;
}

/**
 * Starts the thread and loads the model there.
 *
 * @param onEnd called once when the thread has ended, for whatever reason but that it could not load the model
 * @throws `embedder_unavailable` when the model cannot be loaded; {@link ThreadEnded} when the thread died over it
 * @example const thread = await startModelThread(options, () => {}); await thread.embed('a text');
 */
export async function startModelThread(
  options: ThreadStart,
  onEnd: () => void,
  script = new URL('./embedding-thread.ts', import.meta.url),
): Promise<ModelThread> {
  const worker = new Worker(script, {
    workerData: options,
    // A thread that runs out of memory ends alone.
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  let waiting: PromiseWithResolvers<FromThread> | null = null;
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    waiting?.reject(new ThreadEnded());
    onEnd();
  };
  worker.on('message', (message: FromThread) => waiting?.resolve(message));
  // Followed by 'exit'.
  worker.on('error', () => {});
  worker.on('exit', end);
  const next = async (limitMs: number, message?: ToThread): Promise<FromThread> => {
    if (ended) throw new ThreadEnded();
    waiting = Promise.withResolvers<FromThread>();
    const limit = setTimeout(() => {
      // It may hang in code that cannot be interrupted: nobody waits for its end.
      end();
      void worker.terminate();
    }, limitMs);
    try {
      if (message !== undefined) worker.postMessage(message);
      return await waiting.promise;
    } finally {
      clearTimeout(limit);
      waiting = null;
    }
  };
  const loaded = await next(LOAD_LIMIT_MS);
  if (loaded.kind === 'failed') {
    ended = true;
    await worker.terminate();
    throw unavailable(loaded.trouble);
  }
  worker.unref();
  return {
    async embed(text) {
      const answer = await next(RUN_LIMIT_MS, { text });
      if (answer.kind === 'vector') return answer.vector;
      throw unavailable({
        reason: `the local model failed (${answer.kind === 'error' ? answer.reason : ''})`,
      });
    },
    keepProcess: (keep) => (keep ? worker.ref() : worker.unref()),
    async close() {
      if (ended) return;
      const exit = once(worker, 'exit');
      worker.postMessage('close' satisfies ToThread);
      const limit = setTimeout(() => void worker.terminate(), CLOSE_LIMIT_MS);
      await exit;
      clearTimeout(limit);
    },
  };
}
