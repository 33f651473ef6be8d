import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server got it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly input: readonly string[] } & Readonly<Record<string, unknown>>;
}

/** Answers one request in a way of its own. */
export type Misbehave = (response: ServerResponse, request: Received) => void;

/** A server that behaves as embedding services do. */
export interface EmbeddingServer {
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly received: Received[];
  /** The next requests are answered so, one each. */
  next(...ways: Misbehave[]): void;
  /** Requests of this kind get no answer until the function that it returns is called. */
  hold(kind: (request: Received) => boolean): () => void;
  close(): Promise<void>;
}

/** What a server is like. */
export interface EmbeddingServerOptions {
  readonly dimensions: number;
  /** Requests without it get 401. */
  readonly key?: string;
  /** More texts get 400, as an empty one does. */
  readonly batch: number;
  /** A text of more UTF-16 units gets 400, too. */
  readonly longest?: number;
  /** Any that is free when left out. */
  readonly port?: number;
}

/**
 * Starts a server on this machine whose vectors are alike where texts share words, with any number but 1 as their
 * length; the rows of its answers come in reverse.
 *
 * @example const server = await startEmbeddingServer({ dimensions: 64, batch: 128 });
 */
export async function startEmbeddingServer(options: EmbeddingServerOptions): Promise<EmbeddingServer> {
  const received: Received[] = [];
  const ways: Misbehave[] = [];
  const held = new Map<(request: Received) => boolean, (() => void)[]>();
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const request: Received = {
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: JSON.parse(Buffer.concat(parts).toString('utf8')),
      };
      received.push(request);
      const answer = () => (ways.shift() ?? behave(options))(response, request);
      const [, waiting] = [...held].find(([kind]) => kind(request)) ?? [];
      if (waiting === undefined) answer();
      else waiting.push(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    next: (...more) => ways.push(...more),
    hold(kind) {
      held.set(kind, []);
      return () => {
        const waiting = held.get(kind) ?? [];
        held.delete(kind);
        for (const answer of waiting) answer();
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A way to answer: this status and body. */
export function answerWith(status: number, body: unknown, headers: Record<string, string> = {}): Misbehave {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** A way to answer: as such a server does when nothing else is said. */
export function behave({ dimensions, key, batch, longest = Infinity }: EmbeddingServerOptions): Misbehave {
  return (response, { headers, body }) => {
    const refuse = (status: number, type: string) =>
      answerWith(status, { error: { type, message: `${headers.authorization} ${body.input[0]}` } });
    let way: Misbehave;
    if (key !== undefined && headers.authorization !== `Bearer ${key}`) way = refuse(401, 'invalid_api_key');
    else if (
      body.input.length > batch ||
      body.input.some((text) => text.trim() === '' || text.length > longest)
    )
      way = refuse(400, 'invalid_request_error');
    else {
      const data = body.input.map((text, index) => ({ index, embedding: vectorOf(text, dimensions) }));
      way = answerWith(200, { object: 'list', data: data.reverse(), usage: { total_tokens: 1 } });
    }
    way(response, { path: '', headers, body });
  };
}

/** A sum of one direction for each word. */
export function vectorOf(text: string, dimensions: number): number[] {
  const sum = new Array<number>(dimensions).fill(0.01);
  for (const word of text.toLowerCase().match(/\S+/gu) ?? [])
    createHash('shake256', { outputLength: dimensions })
      .update(word)
      .digest()
      .forEach((byte, at) => {
        sum[at]! += (byte - 127.5) / 127.5;
      });
  return sum;
}
