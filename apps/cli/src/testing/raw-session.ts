import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { collect } from '@grove/testing';
import { spawnGrove } from './processes.ts';

/** A JSON-RPC message as it came. */
export interface RawMessage {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests that ask for them.
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

/**
 * `grove stdio` spoken to line by line, for what a client library would never send. Every line of stdout must be a
 * JSON-RPC message: anything else fails the wait.
 */
export class RawSession {
  readonly child: ChildProcessWithoutNullStreams;
  /** Everything that came, in order. */
  readonly received: RawMessage[] = [];
  readonly #waiting = new Set<() => void>();
  #rest = '';
  #problem: Error | null = null;
  #next = 1;

  constructor(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.child = spawnGrove(['stdio', ...args], { env });
    this.child.stdout.setEncoding('utf8');
    this.child.stdout.on('data', (text: string) => this.#read(text));
    const stderr = collect(this.child.stderr);
    this.child.on('close', () => {
      this.#problem ??= new Error(`the process ended: ${stderr()}`);
      this.#wake();
    });
    this.child.stdin.on('error', () => {});
  }

  line(text: string): void {
    this.child.stdin.write(`${text}\n`);
  }

  notify(method: string, params?: unknown): void {
    this.line(JSON.stringify({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }));
  }

  /** Sends a request; resolves with its answer. */
  async request(method: string, params?: unknown, id: string | number = this.#next++): Promise<RawMessage> {
    this.line(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }));
    return await this.until((message) => message.id === id && message.method === undefined);
  }

  /** The first message that fits, already here or still to come. */
  async until(fits: (message: RawMessage) => boolean): Promise<RawMessage> {
    for (;;) {
      const found = this.received.find(fits);
      if (found !== undefined) return found;
      if (this.#problem !== null) throw this.#problem;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  async initialize(): Promise<RawMessage> {
    const answer = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    });
    this.notify('notifications/initialized');
    return answer;
  }

  /** Calls a tool; resolves with its result. */
  async call(name: string, args: Record<string, unknown>): Promise<RawMessage['result']> {
    const answer = await this.request('tools/call', { name, arguments: args });
    if (answer.error !== undefined) throw new Error(answer.error.message);
    return answer.result;
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      try {
        this.received.push(JSON.parse(line) as RawMessage);
      } catch (cause) {
        this.#problem = new Error(`stdout holds something else than the protocol: ${line}`, { cause });
      }
    }
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
