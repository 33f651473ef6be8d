import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** One call that was answered as it should. */
export interface Sample {
  readonly kind: string;
  readonly ms: number;
}

export interface LoadResult {
  readonly samples: readonly Sample[];
  readonly errors: readonly string[];
}

export interface LoadOptions {
  readonly url: string;
  readonly token: string;
  readonly texts: readonly string[];
  /** Notes that are read; the clients write into some of them too. */
  readonly paths: readonly string[];
  /** Between an answer and the next call of the same client. */
  readonly pauseMs: number;
}

/** What a client does, in this order again and again: mostly it asks and reads. */
const TURNS = ['query', 'get', 'query', 'write', 'query', 'get', 'query', 'list', 'get', 'write'] as const;
type Turn = (typeof TURNS)[number];

/** Another one each time. */
function lineOf(at: number): string {
  return `Line ${at}, at ${new Date().toISOString()}.`;
}

type Caller = (turn: Turn, at: number) => Promise<void>;

/** Clients that call in turns. Throws nothing: what fails is told in the result. */
export class Loads {
  readonly #options: LoadOptions;
  /** So that no two calls are the same. */
  #calls = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** Every second client speaks MCP, the others REST. */
  async run(clients: number, signal: AbortSignal): Promise<LoadResult> {
    const samples: Sample[] = [];
    const errors: string[] = [];
    const rest = this.#rest();
    const one = async (number: number): Promise<void> => {
      const isMcp = number % 2 === 0;
      const client = isMcp ? await this.#connected() : null;
      const mcp = client === null ? rest : this.#mcp(client);
      for (let turn = number; !signal.aborted; turn += 1) {
        // One client alone takes turns with both.
        const overMcp = clients === 1 ? turn % 2 === 0 : isMcp;
        const kind = TURNS[(clients === 1 ? turn >> 1 : turn) % TURNS.length]!;
        this.#calls += 1;
        const from = performance.now();
        try {
          await (overMcp ? mcp : rest)(kind, this.#calls);
          samples.push({ kind: `${overMcp ? 'MCP' : 'REST'} ${kind}`, ms: performance.now() - from });
        } catch (error) {
          errors.push(`${kind}: ${error instanceof Error ? error.message : String(error)}`);
        }
        await sleep(this.#options.pauseMs * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
      }
      await client?.close();
    };
    await Promise.all(Array.from({ length: clients }, (_, number) => one(number)));
    return { samples, errors };
  }

  #rest(): Caller {
    const { url, token, texts } = this.#options;
    const authorization = `Bearer ${token}`;
    const send = async (path: string, init: RequestInit = {}): Promise<void> => {
      const answer = await fetch(`${url}${path}`, { ...init, headers: { authorization, ...init.headers } });
      const body = await answer.text();
      if (!answer.ok) throw new Error(`${answer.status} ${body.slice(0, 200)}`);
    };
    return async (turn, at) => {
      if (turn === 'query') return await send(`/v1/query?q=${encodeURIComponent(texts[at % texts.length]!)}`);
      if (turn === 'get') return await send(`/v1/notes/${this.#path(at, encodeURIComponent)}`);
      if (turn === 'list') return await send('/v1/notes?limit=20');
      return await send(`/v1/notes/${this.#written(at, encodeURIComponent)}/append`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body: lineOf(at),
      });
    };
  }

  #mcp(client: Client): Caller {
    const { texts } = this.#options;
    const call = async (name: string, input: Record<string, unknown>): Promise<void> => {
      const answer = await client.callTool({ name, arguments: input });
      if (answer.isError === true) throw new Error(JSON.stringify(answer.content).slice(0, 200));
    };
    return async (turn, at) => {
      if (turn === 'query') return await call('query', { query: texts[at % texts.length]! });
      if (turn === 'get') return await call('get', { path: this.#path(at) });
      if (turn === 'list') return await call('list_notes', { limit: 20 });
      return await call('write_note', { action: 'append', path: this.#written(at), content: lineOf(at) });
    };
  }

  async #connected(): Promise<Client> {
    const { url, token } = this.#options;
    const client = new Client({ name: 'grove-soak', version: '1.0.0' });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    return client;
  }

  #path(at: number, encode: (part: string) => string = String): string {
    const { paths } = this.#options;
    return paths[(at * 7919) % paths.length]!.split('/').map(encode).join('/');
  }

  /** Each of a thousand notes in turn, so that none grows without end. */
  #written(at: number, encode: (part: string) => string = String): string {
    const { paths } = this.#options;
    return paths[((at % 1_000) * 7) % paths.length]!.split('/').map(encode).join('/');
  }
}
