import { fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type ErrorCode, GroveError, USE_COMPILED } from '@grove/core';
import type { RemoteCall } from '../remote-options.ts';
import type { FromRemoteProcess, RemoteJob } from './remote-messages.ts';

const LONGEST_MS = 6 * 3_600_000;

/**
 * Makes one call to a remote in a process of its own: its work holds up nobody here, and its memory comes back. The
 * process ends with the call, with the signal, and with this process.
 *
 * @returns what the call answers
 * @throws GroveError of the call; `remote_interrupted` when the process was killed, or takes longer than any call may;
 *   the signal's reason
 */
export async function runRemote(
  job: RemoteJob,
  { signal, onProgress, longestMs = LONGEST_MS }: Pick<RemoteCall, 'signal' | 'onProgress' | 'longestMs'>,
): Promise<unknown> {
  signal?.throwIfAborted();
  const child = fork(fileURLToPath(new URL('./remote-child.ts', import.meta.url)), [], {
    // A server in one's own network has a certificate that the machine was told to trust, and Node was not. Little is
    // kept while a pack is looked through, so that a small share of new memory does.
    execArgv: ['--use-system-ca', '--max-semi-space-size=2', USE_COMPILED],
    env: withoutOurs({ ...process.env }),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    cwd: tmpdir(),
  });
  const kill = () => child.kill('SIGKILL');
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    kill();
  }, longestMs);
  signal?.addEventListener('abort', kill, { once: true });
  try {
    const last = await new Promise<FromRemoteProcess | string>((resolve) => {
      child.on('message', (message: FromRemoteProcess) => {
        if (message.kind === 'progress') onProgress?.(message.progress);
        else resolve(message);
      });
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, killed) => resolve(killed ?? `exit code ${code}`));
      child.send(job, () => {});
    });
    signal?.throwIfAborted();
    return resultOf(isLate && typeof last === 'string' ? 'it took longer than any call may' : last);
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', kill);
    await ended(child, kill);
  }
}

/** Settings of Grove's, a token among them, are no concern of the process. */
function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GROVE_')));
}

function resultOf(last: FromRemoteProcess | string): unknown {
  if (typeof last === 'string') throw new GroveError('remote_interrupted', { reason: last });
  if (last.kind === 'done') return last.result;
  if (last.kind === 'refused')
    throw new GroveError(last.code as ErrorCode, last.data, last.cause === null ? {} : { cause: last.cause });
  throw new Error(last.kind === 'failed' ? last.stack : 'the process of a remote answered out of turn');
}

/** Nothing of it writes any more once this resolves. */
async function ended(child: ReturnType<typeof fork>, kill: () => void): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  kill();
  await exit;
}
