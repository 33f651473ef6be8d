// What `run-remote.ts` runs in a process of its own: one call to a remote.
import { flushCompileCache } from 'node:module';
import { isGroveError } from '@grove/core';
import { writing } from '../../writing/write-failure.ts';
import type { RemoteProgress } from '../remote-options.ts';
import { cloneInto } from '../steps/clone.ts';
import { fetchBranch } from '../steps/fetch.ts';
import { pushBranch } from '../steps/push.ts';
import type { FromRemoteProcess, RemoteJob } from './remote-messages.ts';

const PROGRESS_MS = 200;

// Who started it has called it off, or has ended in whatever way.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', (job: RemoteJob) => void answer(job));

async function answer(job: RemoteJob): Promise<void> {
  let last: FromRemoteProcess;
  try {
    last = { kind: 'done', result: await writing(() => run(job)) };
  } catch (error) {
    last = isGroveError(error)
      ? {
          kind: 'refused',
          code: error.code,
          data: error.data,
          cause: error.cause === undefined ? null : textOf(error.cause),
        }
      : { kind: 'failed', stack: textOf(error) };
  }
  // It would be written at an exit, and who hears of the end kills.
  flushCompileCache();
  process.send?.(last);
}

/** For the log. */
function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function run(job: RemoteJob): Promise<unknown> {
  if (job.kind === 'fetch') return fetchBranch(job, report);
  if (job.kind === 'push') return pushBranch(job, report);
  return cloneInto(job, report);
}

let reported = 0;

function report(progress: RemoteProgress): void {
  const now = performance.now();
  if (now - reported < PROGRESS_MS) return;
  reported = now;
  process.send?.({ kind: 'progress', progress } satisfies FromRemoteProcess);
}
