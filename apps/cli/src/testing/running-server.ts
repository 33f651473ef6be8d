import { once } from 'node:events';
import { collect, end } from '@grove/testing';
import { spawnGrove } from './processes.ts';

/** What `grove start --json` tells, as far as tests look at it. */
export interface StartLine {
  readonly url: string;
  readonly mcp_url: string;
  readonly local_url: string;
  readonly port: number;
  readonly pid: number;
  readonly key?: string;
  readonly owner_url: string;
  readonly owner_setup_url?: string;
  readonly vaults: readonly { readonly slug: string; readonly key?: string }[];
}

/** A `grove start` that is ready. */
export interface RunningServer {
  readonly told: StartLine;
  /** Sends a request with a key; the path starts with `/`. */
  get(path: string, key?: string): Promise<Response>;
  /** What it wrote to stderr. */
  complaints(): string;
  /** Asks it to end; gives its exit code. */
  stop(): Promise<number | null>;
}

/** Starts a server and waits until it says that it is ready. Throws what it says when it ends before. */
export async function startServer(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const child = spawnGrove(['start', ...args, '--json'], { env });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const closed = once(child, 'close');
  while (!stdout().includes('\n')) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${stdout()}${stderr()}`);
    await Promise.race([once(child.stdout, 'data'), closed]);
  }
  const told = JSON.parse(stdout()) as StartLine;
  // A start that is refused says why in the place of that.
  if ('error' in told) throw new Error(`${stdout()}${stderr()}`);
  return {
    told,
    complaints: stderr,
    get: async (path, key = told.key) =>
      await fetch(`${told.local_url}${path}`, {
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      }),
    stop: async () => {
      await end(child);
      return child.exitCode;
    },
  };
}
