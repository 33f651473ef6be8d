import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { collect } from '@grove/testing';

/** How a program ended, and what it wrote. */
export interface Ended {
  /** Null when it was killed. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A hang limit, below that of the tests. */
const LIMIT_MS = 50_000;

/** Runs a program to its end, with nothing of this process's environment but what is named; killed when it hangs. */
export async function runProgram(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...environment },
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout: stdout(), stderr: stderr() };
}
