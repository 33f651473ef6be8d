import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { collect } from '@grove/testing';
import { runCommandLine, type Surroundings } from '../command-line.ts';

/** The program that `bin/grove` runs. */
export const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

/** A home folder that nobody can make, not even root. */
export const NO_HOME = '/dev/null/home';

/** No setting of the caller's and no home. A server takes any free port, and nothing is embedded. */
const CLEAN_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '',
  HOME: NO_HOME,
  GROVE_PORT: '0',
  GROVE_EMBEDDER: 'off',
};

/** What a test adds to the clean environment, and the folder to run in. */
interface Place {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** What one finished run left. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `grove` in a process of its own. */
export function spawnGrove(
  args: readonly string[],
  { env, cwd }: Place = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [MAIN, ...args], {
    env: { ...CLEAN_ENVIRONMENT, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
}

/** Runs `grove` to its end in a process of its own, for what a process alone can show: its modules, its colours. */
export async function runGroveProcess(args: readonly string[], place: Place = {}): Promise<Finished> {
  const child = spawnGrove(args, place);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  child.stdin.on('error', () => {});
  child.stdin.end();
  const [code] = await once(child, 'close');
  return { code, stdout: stdout(), stderr: stderr() };
}

/**
 * Runs `grove` to its end in this process, which spares the start of another: what `main.ts` takes from its process is
 * made here.
 *
 * @param place and what stands on stdin
 */
export async function runGrove(
  args: readonly string[],
  { env, cwd = process.cwd(), input = '' }: Place & { readonly input?: string } = {},
): Promise<Finished> {
  const [stdout, stderr] = [new TextSink(), new TextSink()];
  const surroundings = {
    env: { ...CLEAN_ENVIRONMENT, ...env },
    cwd: () => cwd,
    stdin: new PassThrough().end(input),
    stdout,
    stderr,
  } as unknown as Surroundings;
  const code = await runCommandLine(args, surroundings, new AbortController().signal);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** Keeps what is written, at once. */
class TextSink extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}
