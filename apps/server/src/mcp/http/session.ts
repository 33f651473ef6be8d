import { randomUUID } from 'node:crypto';
import type { Clock } from '@grove/core';
import {
  INVALID_REQUEST,
  type McpServer,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { cancelledIds, requestIds, withoutCancellations } from './messages.ts';
import { rpcError } from './rpc-error.ts';

/** Whose a session is: only the same token at the same address is served by it. */
export interface SessionOwner {
  readonly keyId: string;
  /** With whose sessions it counts, see `holderOf`. */
  readonly holder: string;
  readonly credential: string;
  /** Tells apart what one token may open: a session of one profile is none of the other. */
  readonly site: object;
}

/** One session of revision 2025-11-25: a server that lasts, for a client that can be asked something. */
export class McpSession {
  readonly id = randomUUID();
  readonly owner: SessionOwner;
  readonly #clock: Clock;
  readonly #server: McpServer;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  /** Ids of requests that are being answered, each with the number of requests that came with it and itself. */
  readonly #pending = new Map<RequestId, number>();
  #open = 0;
  #lastUse: number;
  #ended = false;

  /** @param onEnd hears once that the session has ended, whoever ended it */
  constructor(owner: SessionOwner, server: McpServer, clock: Clock, onEnd: (session: McpSession) => void) {
    this.owner = owner;
    this.#server = server;
    this.#clock = clock;
    this.#lastUse = clock.now();
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.id,
      onsessionclosed: () => {
        this.#ended = true;
        onEnd(this);
      },
    });
  }

  /** Milliseconds since the epoch; what is open is used now. */
  get lastUse(): number {
    return this.#open > 0 ? this.#clock.now() : this.#lastUse;
  }

  /** True while a request is being answered or a stream is open. */
  get isInUse(): boolean {
    return this.#open > 0;
  }

  /** When it was last asked something. */
  get lastAsked(): number {
    return this.#lastUse;
  }

  /**
   * Answers `initialize`.
   *
   * @returns the answer, and whether there is a session now
   */
  async begin(request: Request, body: unknown): Promise<{ response: Response; begun: boolean }> {
    await this.#server.connect(this.#transport);
    const response = await this.serve(request, body);
    const begun = this.#transport.sessionId !== undefined;
    if (!begun) await this.#server.close();
    return { response, begun };
  }

  /** Answers a request of the session, whose signal tells when it is over. */
  async serve(request: Request, given: unknown): Promise<Response> {
    // One stream answers a batch, and would end without the other answers, or never.
    const body = withoutCancellations(given, (id) => (this.#pending.get(id) ?? 1) > 1);
    if (body === undefined && given !== undefined) return new Response(null, { status: 202 });
    const ids = requestIds(body);
    // The answer to the first would go to the second, and the first would wait for ever.
    const taken = ids.find((id) => this.#pending.has(id));
    if (taken !== undefined)
      return rpcError(
        400,
        taken,
        INVALID_REQUEST,
        'Invalid Request: a request with this id is being answered',
      );
    this.#use(ids, request.signal);
    const response = await this.#transport.handleRequest(request, { parsedBody: body });
    // The SDK answers nothing to a request that was cancelled; its stream would stay open.
    for (const id of cancelledIds(body)) this.#transport.closeSSEStream(id);
    return response;
  }

  /** Ends the stream that changes are told on. */
  endStream(): void {
    this.#transport.closeStandaloneSSEStream();
  }

  /** Ends its streams and what it listens to. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#server.close();
  }

  #use(ids: readonly RequestId[], over: AbortSignal): void {
    this.#lastUse = this.#clock.now();
    if (over.aborted) return;
    this.#open += 1;
    for (const id of ids) this.#pending.set(id, ids.length);
    over.addEventListener('abort', () => {
      this.#open -= 1;
      this.#lastUse = this.#clock.now();
      for (const id of ids) this.#pending.delete(id);
    });
  }
}
