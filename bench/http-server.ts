import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './corpora.ts';
import type { LoopFigures } from './event-loop.ts';

export type ProbeFigures = Omit<LoopFigures, 'stretches'> & {
  /** Stretches above 20 ms. */
  readonly long: number;
};

/** A running `grove start` on a free port of this machine, with keys. */
export interface HttpServer {
  readonly url: string;
  readonly pid: number;
  /** A key that reads, and one with the scope admin. */
  readonly key: string;
  readonly adminKey: string;
  /** Runs a verb beside the server and gives what it prints. */
  grove(...args: readonly string[]): Promise<string>;
  /** How long the server's event loop was held while the work went on, watched from within it. */
  watched<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly loop: ProbeFigures }>;
  close(): Promise<void>;
}

const program = join(repository, 'bin', 'grove');

/** Starts the server on the vault and waits until everything is indexed. */
export async function startHttpServer(vault: string, data: string): Promise<HttpServer> {
  const probe = join(data, 'probe.json');
  const common = ['--vault', vault, '--data', data];
  const child = spawn(program, ['start', ...common, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      // Measured on its own.
      GROVE_EMBEDDER: process.env.GROVE_EMBEDDER ?? 'off',
      GROVE_LIMIT_READS: '0',
      GROVE_LIMIT_WRITES: '0',
      GROVE_LIMIT_OPERATIONS: '0',
      LOOP_PROBE_FILE: probe,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${join(repository, 'bench', 'loop-probe.ts')}`,
    },
  });
  const { url, pid } = await ready(child);
  const grove = (...args: readonly string[]) => output([...args, ...common, '--json']);
  const madeKey = async (name: string, scopes: string) =>
    (JSON.parse(await grove('keys', 'create', name, '--scopes', scopes)) as { readonly token: string }).token;
  return {
    url,
    pid,
    key: await madeKey(`bench-${pid}`, 'read'),
    adminKey: await madeKey(`bench-admin-${pid}`, 'admin'),
    grove,
    async watched(work) {
      rmSync(probe, { force: true });
      process.kill(pid, 'SIGUSR2');
      const result = await work();
      process.kill(pid, 'SIGUSR2');
      while (!existsSync(probe)) await new Promise((resolve) => setTimeout(resolve, 20));
      return { result, loop: JSON.parse(readFileSync(probe, 'utf8')) as ProbeFigures };
    },
    async close() {
      process.kill(pid, 'SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function ready(child: ChildProcess): Promise<{ readonly url: string; readonly pid: number }> {
  let printed = '';
  child.stdout?.setEncoding('utf8');
  for await (const chunk of child.stdout ?? []) {
    printed += String(chunk);
    const start = parsed(printed);
    if (start !== null && typeof start.local_url !== 'string') break;
    if (start !== null) {
      // What it prints later is of no interest, and must not fill the pipe.
      child.stdout?.resume();
      return { url: start.local_url, pid: start.pid };
    }
  }
  child.kill();
  throw new Error(`the server is not ready: ${printed}`);
}

function parsed(text: string): { readonly local_url: string; readonly pid: number } | null {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

async function output(args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8');
  for await (const chunk of child.stdout) printed += String(chunk);
  if (child.exitCode === null) await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error(`grove ${args[0]} ended with ${child.exitCode}`);
  return printed;
}
