import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Stream } from 'node:stream';
import { onTestFinished } from 'vitest';

/** Runs a script in a Node of its own, its stdout to be read; killed when the running test ends. */
export function spawnScript(
  script: string,
  args: readonly string[],
): ChildProcessByStdio<null, Readable, null> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
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
