import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Stream } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The program that `bin/grove` runs. */
export const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

/** A home folder that nobody can make, not even root. */
export const NO_HOME = '/dev/null/home';

/** What one finished run left. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `grove` with a clean environment: nothing of the caller's settings or home reaches it. */
export function spawnGrove(
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: NO_HOME, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
}

/** Runs `grove` to its end. */
export async function runGrove(
  args: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: string;
    readonly input?: string;
  } = {},
): Promise<Finished> {
  const child = spawnGrove(args, options);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const [code] = await once(child, 'close');
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Gathers a stream as text; the answer gives what has come so far. */
export function collect(stream: Stream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/** Kills a child by its own handle and waits for its end. */
export async function end(
  child: ChildProcessWithoutNullStreams,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}
