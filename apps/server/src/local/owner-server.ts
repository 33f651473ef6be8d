import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { errorCode, GroveError, randomId } from '@grove/core';
import {
  allOperations,
  type MaintainOutcome,
  type OpenedVault,
  ownerOperations,
  toErrorPayload,
} from '@grove/service';
import type { ViewRules } from '@grove/vault';
import type { StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import type { CallRecorder } from '../audit/call-recorder.ts';
import { currentRequestId, inRequest } from '../current-request.ts';
import type { Log } from '../log.ts';
import { reportFault } from '../report-fault.ts';
import { compileRules, rulesOrNone } from '../rule-sources.ts';
import { previewAnswer } from '../trails/preview-answer.ts';
import { trailRulesOf } from '../trails/rule-texts.ts';
import {
  type Greeting,
  type HttpAddress,
  LOCAL_PROTOCOL,
  MAX_GREETING_BYTES,
  type OwnerFacts,
  parseGreeting,
  type Reply,
} from './greeting.ts';
import { LineSplitter } from './lines.ts';
import { removeStaleSockets } from './run-folder.ts';

const GREETING_MS = 5_000;
const MAX_CONNECTIONS = 256;
const PROGRESS_MS = 100;

interface OwnerServerOptions {
  readonly opened: OpenedVault;
  /** Where to listen; see `socketAddress`. */
  readonly address: string;
  readonly kind: OwnerFacts['kind'];
  readonly version: string;
  /** Where this process serves HTTP now; absent or null when it does not. */
  readonly http?: () => HttpAddress | null;
  /**
   * Gives the vault up so that the process `pid` can own it; resolves when it is free. Null: this owner stays, and
   * says so.
   */
  readonly handOver: ((pid: number) => Promise<void>) | null;
  readonly log: Log;
  /** Writes calls down, where this process keeps an audit. */
  readonly recorder?: CallRecorder | undefined;
}

/** The owner's end of the local socket. */
export interface OwnerServer {
  readonly address: string;
  /** Ends every session and stops listening; calls that run are answered first. */
  close(): Promise<void>;
}

/**
 * Serves other processes of the same user: MCP sessions of bridges, single calls of the command line, a rebuild of
 * the index, the switch of writing, a hand-over. Only the vault's owner may call it, since it removes the sockets of earlier owners.
 */
export async function serveOwner(options: OwnerServerOptions): Promise<OwnerServer> {
  removeStaleSockets(options.address);
  const connections = new Set<Connection>();
  const server = createServer((socket) => {
    const connection = new Connection(socket, options);
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, options.address);
  return {
    address: options.address,
    close: async () => {
      // Not awaited: a connection that asked for the hand-over is answered when the vault is free.
      server.close();
      await Promise.all([...connections].map((connection) => connection.close()));
    },
  };
}

async function listen(server: Server, address: string): Promise<void> {
  const attempt = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(address, () => {
        server.off('error', reject);
        resolve();
      });
    });
  try {
    await attempt();
  } catch (error) {
    if (errorCode(error) !== 'EADDRINUSE' || process.platform === 'win32') throw error;
    // The process ids came round: the socket is one that a dead process of the same number left.
    rmSync(address, { force: true });
    await attempt();
  }
}

class Connection {
  readonly #socket: Socket;
  readonly #options: OwnerServerOptions;
  readonly #lines = new LineSplitter(MAX_GREETING_BYTES);
  readonly #timer: NodeJS.Timeout;
  #session: StdioServerHandle | null = null;
  #call: Promise<void> | null = null;
  #handingOver = false;

  constructor(socket: Socket, options: OwnerServerOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#timer = setTimeout(() => socket.destroy(), GREETING_MS);
    socket.on('error', (error) => options.log.debug({ err: error }, 'a local connection broke'));
    socket.on('data', this.#read);
    socket.on('close', () => clearTimeout(this.#timer));
  }

  async close(): Promise<void> {
    if (this.#handingOver) return;
    await this.#session?.close();
    await this.#call;
    this.#socket.destroySoon();
  }

  #read = (chunk: Buffer): void => {
    try {
      const line = this.#lines.first(chunk);
      if (line === null) return;
      clearTimeout(this.#timer);
      this.#socket.off('data', this.#read);
      this.#socket.pause();
      inRequest(randomId(), () => this.#serve(parseGreeting(line), this.#lines.rest()));
    } catch (error) {
      this.#refuse(error);
    }
  };

  #serve(greeting: Greeting, early: Buffer): void {
    switch (greeting.mode) {
      case 'mcp':
        void this.#speakMcp(compileRules(greeting.rules), early).catch((error: unknown) =>
          this.#refuse(error),
        );
        return;
      case 'owner':
        this.#reply({ owner: this.#facts() });
        this.#socket.end();
        return;
      case 'call':
        this.#finish(this.#answer(greeting));
        return;
      case 'reindex':
        this.#finish(this.#reindex());
        return;
      case 'maintain':
        this.#finish(this.#maintain());
        return;
      case 'writes':
        this.#finish(this.#switchWrites(greeting.on));
        return;
      case 'preview':
        this.#finish(this.#preview(greeting));
        return;
      case 'hand-over':
        void this.#handOver(greeting.pid);
    }
  }

  async #speakMcp(rules: ViewRules, early: Buffer): Promise<void> {
    // Short commands own a vault for a moment and need no MCP: it is loaded for the first session.
    const { serveSocket } = await import('../mcp/serve-socket.ts');
    if (this.#socket.destroyed) return;
    this.#reply({ owner: this.#facts() });
    this.#session = serveSocket(this.#socket, early, this.#options, rules);
  }

  async #answer(greeting: Extract<Greeting, { mode: 'call' }>): Promise<unknown> {
    const operation = [...allOperations, ...ownerOperations].find(({ name }) => name === greeting.operation);
    if (operation === undefined)
      throw new GroveError('bad_input', { reason: `there is no operation "${greeting.operation}"` });
    const { opened, recorder } = this.#options;
    const scope = opened.scope(
      { kind: 'owner', id: 'owner', name: 'owner' },
      rulesOrNone(compileRules(greeting.rules)),
      { scopes: ['write'] },
    );
    const begin = performance.now();
    let [outcome, output]: [string, unknown] = ['ok', null];
    try {
      // An index that cannot be built keeps nobody from reading; a search says so itself.
      if (operation.name !== 'vault_status') await opened.ready.catch(() => {});
      output = await operation.run(scope, operation.parse(greeting.input));
      return output;
    } catch (error) {
      outcome = toErrorPayload(error).code;
      throw error;
    } finally {
      recorder?.record({
        scope,
        vault: opened.slug,
        tool: operation.name,
        via: 'cli',
        ms: performance.now() - begin,
        outcome,
        search: { operation: operation.name, input: greeting.input, output },
        client: null,
        requestId: currentRequestId(),
      });
    }
  }

  async #reindex(): Promise<unknown> {
    const { opened } = this.#options;
    const stop = opened.onProgress(({ phase, done, total }) =>
      this.#reply({ progress: { phase, done, total } }),
    );
    try {
      await opened.reindex();
    } finally {
      stop();
    }
    return { notes: opened.vault.health().notes };
  }

  async #maintain(): Promise<MaintainOutcome> {
    let told = 0;
    return await this.#options.opened.maintain((done, total) => {
      // A line for each object would be more than the work.
      if (done < total && performance.now() - told < PROGRESS_MS) return;
      told = performance.now();
      this.#reply({ progress: { phase: 'packing', done, total } });
    });
  }

  async #preview({ rules, note }: Extract<Greeting, { mode: 'preview' }>): Promise<unknown> {
    const { opened } = this.#options;
    await opened.ready;
    return await previewAnswer(opened, trailRulesOf(opened, rules), note);
  }

  async #switchWrites(on: boolean | null): Promise<unknown> {
    const { writes } = this.#options.opened;
    if (on !== null) await writes.switch(on);
    return { on: writes.on, problem: writes.problem };
  }

  async #handOver(pid: number): Promise<void> {
    const { handOver, kind } = this.#options;
    try {
      if (handOver === null)
        throw new GroveError('vault_owned', { pid: process.pid, host: 'this machine', kind });
      this.#handingOver = true;
      await handOver(pid);
      this.#reply({ output: { released: true } });
      this.#socket.end();
    } catch (error) {
      this.#refuse(error);
    }
  }

  #finish(work: Promise<unknown>): void {
    this.#call = work.then(
      (output) => {
        this.#reply({ output });
        this.#socket.end();
      },
      (error) => this.#refuse(error),
    );
  }

  #refuse(error: unknown): void {
    const payload = toErrorPayload(error, reportFault(this.#options.log, 'a local call failed'));
    this.#reply({ error: payload });
    this.#socket.end();
  }

  #reply(reply: Reply): void {
    if (!this.#socket.writableEnded) this.#socket.write(`${JSON.stringify(reply)}\n`);
  }

  #facts(): OwnerFacts {
    const { kind, version, http } = this.#options;
    return { protocol: LOCAL_PROTOCOL, kind, pid: process.pid, version, http: http?.() ?? null };
  }
}
