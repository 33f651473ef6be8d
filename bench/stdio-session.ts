import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { repository } from './corpora.ts';

/** A running `grove stdio` with the official client connected to it. */
export interface StdioSession {
  readonly client: Client;
  readonly pid: number;
  /** Milliseconds from the start of the process to the answer of `initialize`. */
  readonly connectedMs: number;
  call(name: string, input: Record<string, unknown>): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** Starts `bin/grove stdio` on the vault with its own data folder and connects. */
export async function startSession(vault: string, data: string): Promise<StdioSession> {
  const start = performance.now();
  const transport = new StdioClientTransport({
    command: join(repository, 'bin', 'grove'),
    args: ['stdio', '--vault', vault, '--data', data],
    // Reading is measured by words alone, unless told otherwise.
    env: { ...getDefaultEnvironment(), GROVE_EMBEDDER: process.env.GROVE_EMBEDDER ?? 'off' },
    stderr: 'inherit',
  });
  const client = new Client({ name: 'grove-bench', version: '1.0.0' });
  await client.connect(transport);
  const connectedMs = performance.now() - start;
  return {
    client,
    pid: transport.pid!,
    connectedMs,
    async call(name, input) {
      const answer = await client.callTool({ name, arguments: input });
      return (answer.structuredContent ?? {}) as Record<string, unknown>;
    },
    close: () => client.close(),
  };
}

/** Resident set and its peak, in MB (Linux). */
export function memoryOf(pid: number): { rss: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024;
  return { rss: Math.round(read('VmRSS')), peak: Math.round(read('VmHWM')) };
}

/** Runs a program to its end and returns what it took in milliseconds. */
export function runTimed(program: string, args: readonly string[], cwd: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(program, args, { cwd, stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', () => resolve(performance.now() - start));
  });
}
