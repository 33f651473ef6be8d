import { Worker } from 'node:worker_threads';
import type { Betweenness, LinkedPaths } from './betweenness.ts';

/** Work on a thread of its own that can be called off. */
export interface Measuring {
  /** Null when it was called off. Rejects when the thread fails. */
  readonly result: Promise<Betweenness | null>;
  callOff(): void;
}

/**
 * Betweenness off the event loop, which would stand still for seconds. The process may end without it. The links go to
 * the thread and are empty afterwards.
 */
export function measureAside(linked: LinkedPaths): Measuring {
  const thread = new Worker(new URL('./betweenness-thread.ts', import.meta.url), {
    workerData: linked,
    transferList: [linked.links.buffer],
  });
  thread.unref();
  const result = new Promise<Betweenness | null>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => resolve(null));
  });
  return { result, callOff: () => void thread.terminate() };
}
