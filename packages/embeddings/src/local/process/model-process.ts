import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { USE_COMPILED } from '@grove/core';
import { unavailable } from '../../unavailable.ts';
import type { ModelOptions } from '../model/load-model.ts';
import type { RuntimeName } from '../model/runtime.ts';
import { likenessToKnown } from './known-text.ts';
import type { FromProcess, ToProcess } from './process-messages.ts';

/** Thrown to whoever waits for a process that has ended. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
  /** Exit code or signal. */
  readonly how: string;

  constructor(how: string) {
    super(`The process of the local model has ended (${how})`);
    this.how = how;
  }
}

/** How the process is started; another program, and less patience, in tests. */
export interface ProcessOptions {
  readonly script?: URL;
  /** Loading takes a fraction of a second; a slow disk may need some. */
  readonly loadLimitMs?: number;
  /** The longest text takes a fraction of a second. */
  readonly runLimitMs?: number;
}

/** The local model in a process of its own. */
export interface ModelProcess {
  readonly runtime: RuntimeName;
  /** Embeds one text; the next one waits until this is answered. */
  embed(text: string): Promise<Float32Array>;
  /** While false, as it is at first, this process may end without the other. */
  keepProcess(keep: boolean): void;
  close(): Promise<void>;
}

/**
 * For glibc, which would keep the 34 MB that the model was read from in pieces between what stays: large blocks are
 * given back one by one. Other C libraries pass over it.
 */
const MALLOC = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '1' };

const REMEDY = 'Configure a remote embedder, or run Grove on another machine.';

/**
 * Starts the process, loads the model there and compares what it makes of one known text. A processor or a C library
 * that the runtime does not run on ends that process, not this one; so does a run that hangs, and its memory comes back.
 * (On a thread, the runtime aborts everything when its thread is ended during a run, as happens when a program exits.)
 *
 * @param onEnd called once when a process that was ready has ended, for whatever reason
 * @throws `embedder_unavailable` when the model cannot be loaded
 * @example const model = await startModelProcess(options, signal, () => {}); await model.embed('a text');
 */
export async function startModelProcess(
  model: ModelOptions,
  signal: AbortSignal,
  onEnd: () => void,
  options: ProcessOptions = {},
): Promise<ModelProcess> {
  const { script = new URL('./embedding-child.ts', import.meta.url) } = options;
  const { loadLimitMs = 60_000, runLimitMs = 60_000 } = options;
  const child = fork(fileURLToPath(script), [JSON.stringify(model)], {
    serialization: 'advanced',
    execArgv: ['--max-old-space-size=512', '--max-semi-space-size=2', '--expose-gc', USE_COMPILED],
    env: { ...process.env, ...MALLOC },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Where a crash may leave its core file.
    cwd: tmpdir(),
    signal,
    killSignal: 'SIGKILL',
  });
  let waiting: PromiseWithResolvers<FromProcess> | null = null;
  let ready = false;
  let ended: ProcessEnded | null = null;
  const end = (how: string) => {
    if (ended !== null) return;
    ended = new ProcessEnded(how);
    waiting?.reject(ended);
    if (ready) onEnd();
  };
  child.on('message', (message: FromProcess) => waiting?.resolve(message));
  child.on('error', () => end('it could not be started or reached'));
  child.on('exit', (code, killed) => end(killed ?? `exit code ${code}`));
  const next = async (limitMs: number, message?: ToProcess): Promise<FromProcess> => {
    if (ended !== null) throw ended;
    waiting = Promise.withResolvers<FromProcess>();
    const limit = setTimeout(() => {
      end(`no answer within ${limitMs / 1000} seconds`);
      child.kill('SIGKILL');
    }, limitMs);
    try {
      if (message !== undefined) child.send(message);
      return await waiting.promise;
    } finally {
      clearTimeout(limit);
      waiting = null;
    }
  };
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  const keepProcess = (keep: boolean) => {
    if (keep) child.ref();
    else child.unref();
    if (keep) child.channel?.ref();
    else child.channel?.unref();
  };

  let runtime: RuntimeName;
  try {
    runtime = judge(await next(loadLimitMs));
  } catch (error) {
    await close();
    throw error instanceof ProcessEnded ? cannotRun(error) : error;
  }
  ready = true;
  keepProcess(false);
  return {
    runtime,
    async embed(text) {
      const answer = await next(runLimitMs, { text });
      if (answer.kind === 'vector') return answer.vector;
      throw unavailable({
        reason: `the local model failed (${answer.kind === 'error' ? answer.reason : ''})`,
      });
    },
    keepProcess,
    close,
  };
}

/** The runtime of a process that computes what it should. */
function judge(message: FromProcess): RuntimeName {
  if (message.kind === 'failed') throw unavailable(message.trouble);
  if (message.kind === 'ready' && likenessToKnown(message.known) > 0.99) return message.runtime;
  throw unavailable({
    reason: 'the local model computes wrong vectors on this machine',
    remedy: REMEDY,
    permanent: true,
  });
}

/** A crash comes again; SIGKILL is what a machine without memory does, and what is done to a process that hangs. */
function cannotRun({ how }: ProcessEnded) {
  const crashed = /^(?:SIG(?!KILL)|exit)/.test(how);
  return unavailable({
    reason: `the process of the local model ended while it loaded (${how})`,
    remedy: REMEDY,
    permanent: crashed,
  });
}
