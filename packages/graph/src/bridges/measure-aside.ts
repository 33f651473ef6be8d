import { Worker } from 'node:worker_threads';
import { InTurn } from '@grove/core';
import type { Betweenness, LinkedPaths } from './betweenness.ts';

/** Work on a thread of its own that can be called off. */
export interface Measuring {
  /** Null when it was called off. Rejects when the thread fails. */
  readonly result: Promise<Betweenness | null>;
  callOff(): void;
}

/** Of the whole process: threads of many Views at once would leave no core to anything else. */
const turns = new InTurn();

/**
 * Betweenness off the event loop, which would stand still for seconds: one at a time, whoever asks. The process may end
 * without it. The links go to the thread and are empty afterwards.
 */
export function measureAside(linked: LinkedPaths): Measuring {
  let isCalledOff = false;
  let thread: Worker | null = null;
  const result = turns.run(async () => {
    if (isCalledOff) return null;
    thread = new Worker(new URL('./betweenness-thread.ts', import.meta.url), {
      workerData: linked,
      transferList: [linked.links.buffer],
    });
    return await outcomeOf(thread);
  });
  const callOff = (): void => {
    isCalledOff = true;
    void thread?.terminate();
  };
  return { result, callOff };
}

function outcomeOf(thread: Worker): Promise<Betweenness | null> {
  thread.unref();
  return new Promise<Betweenness | null>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => resolve(null));
  });
}
