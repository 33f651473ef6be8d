import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { collect } from '@grove/testing';

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

/**
 * Starts `grove` with a clean environment: nothing of the caller's settings or home reaches it. A server takes any free
 * port, and nothing is embedded, unless the test says otherwise.
 */
export function spawnGrove(
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [MAIN, ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: NO_HOME,
      GROVE_PORT: '0',
      GROVE_EMBEDDER: 'off',
      ...options.env,
    },
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
