import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Stream } from 'node:stream';
import { onTestFinished } from 'vitest';

const KEEP_COMPILED = new URL('keep-compiled.ts', import.meta.url).href;
/** Where Node keeps what it compiled: loading it is half of what a short script costs. */
const COMPILED = join(tmpdir(), 'node-compile-cache');

/** Runs a script in a Node of its own, its stdout to be read; killed when the running test ends. */
export function spawnScript(
  script: string,
  args: readonly string[],
): ChildProcessByStdio<null, Readable, null> {
  const child = spawn(process.execPath, ['--import', KEEP_COMPILED, script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  });
  onTestFinished(() => end(child, 'SIGKILL'));
  return child;
}

/** Gathers a stream as text; the answer gives what has come so far. */
export function collect(stream: Stream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/** Kills a child by its own handle and waits for its end. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}
