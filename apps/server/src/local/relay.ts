import type { Readable, Writable } from 'node:stream';
import { INTERNAL_ERROR, type JSONRPCMessage, type JSONRPCRequest } from '@modelcontextprotocol/server';
import type { Log } from '../log.ts';
import { LINE_TOO_LONG, parseLine, rpcErrorText } from '../mcp/json-rpc.ts';
import { LineSplitter } from './lines.ts';
import { SILENCE_MS, SilenceWatch } from './owner-silence.ts';
import { type Frame, SessionMemory } from './session-memory.ts';
import type { ConnectUpstream, Upstream } from './upstream.ts';

/** How long answers are awaited after the client closed its end. */
const DRAIN_MS = 10_000;
/** Upstreams lost in a row without any answer between, after which the session is given up. */
const MAX_LOSSES = 5;

interface RelayOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly connect: ConnectUpstream;
  /** True for a request that changes nothing, so that it may be sent to the next owner again. */
  readonly repeatable: (request: JSONRPCRequest) => boolean;
  /** How long a request may wait without a word from the owner before the owner is looked at, in milliseconds. */
  readonly silenceMs?: number;
  readonly log: Log;
}

/** A session between a client's two streams and whoever owns the vault. */
export interface Relay {
  /** Resolves when the client has gone; rejects with the cause when no owner can be had any more. */
  readonly done: Promise<void>;
  /** Ends the session from this side. */
  close(): Promise<void>;
}

/**
 * Carries one MCP session over any number of owners: when an upstream ends, the next one is connected, the
 * handshake and the subscriptions are replayed with their answers swallowed, requests without an answer are sent
 * again if they only read and are otherwise answered with an error that says the outcome is unknown. The client
 * sees every answer exactly once, and malformed lines are answered here.
 */
export function startRelay(options: RelayOptions): Relay {
  const session = new RelaySession(options);
  return { done: session.done, close: () => session.end() };
}

class RelaySession {
  readonly done: Promise<void>;
  readonly #options: RelayOptions;
  readonly #memory = new SessionMemory();
  readonly #lines = new LineSplitter();
  readonly #settled = Promise.withResolvers<void>();
  #upstream: Upstream | null = null;
  #watch: SilenceWatch | null = null;
  /** Lines that came while no upstream took them. */
  #queue: Frame[] = [];
  #replayId: string | number | null = null;
  #losses = 0;
  #inputEnded = false;
  #ended = false;
  #drainTimer: NodeJS.Timeout | null = null;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.done = this.#settled.promise;
    const { input, output } = options;
    input.on('data', (chunk: Buffer) => this.#read(chunk));
    input.on('end', () => this.#inputEnd());
    input.on('close', () => this.#inputEnd());
    input.on('error', () => this.#inputEnd());
    // The client no longer listens: nothing more can reach it.
    output.on('error', () => void this.end());
    output.on('drain', () => this.#flow());
    void this.#connect();
  }

  async end(error?: unknown): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#drainTimer !== null) clearTimeout(this.#drainTimer);
    this.#options.input.pause();
    this.#watch?.stop();
    await this.#upstream?.close();
    this.#upstream = null;
    if (error === undefined) this.#settled.resolve();
    else this.#settled.reject(error);
  }

  #read(chunk: Buffer): void {
    let lines: string[];
    try {
      lines = this.#lines.push(chunk);
    } catch (error) {
      this.#write(LINE_TOO_LONG);
      void this.end(error);
      return;
    }
    for (const line of lines) this.#readLine(line);
    this.#flow();
  }

  #readLine(line: string): void {
    const parsed = parseLine(line);
    if (parsed.kind === 'malformed') this.#write(parsed.answer);
    if (parsed.kind === 'message') this.#forward({ message: parsed.message, line });
  }

  #forward(frame: Frame): void {
    if (this.#upstream === null || this.#replayId !== null) this.#queue.push(frame);
    else this.#send(frame);
  }

  #send(frame: Frame): void {
    this.#memory.fromClient(frame);
    if (this.#upstream?.send(frame.message, frame.line) === false) this.#options.input.pause();
    this.#watch?.sent();
  }

  /** Reads on only while somebody takes the lines and the client takes the answers. */
  #flow(): void {
    if (this.#ended) return;
    const blocked =
      this.#upstream === null || this.#replayId !== null || this.#options.output.writableNeedDrain;
    if (blocked) this.#options.input.pause();
    else this.#options.input.resume();
  }

  async #connect(): Promise<void> {
    this.#flow();
    let live = true;
    let connected: Upstream;
    try {
      connected = await this.#options.connect({
        onMessage: (message, line) => {
          if (live && !this.#ended) this.#fromUpstream(message, line);
        },
        onDrain: () => this.#flow(),
        onClose: () => {
          if (!live) return;
          live = false;
          this.#lost();
        },
      });
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (this.#ended) {
      await connected.close();
      return;
    }
    // It may have ended again before this line ran.
    if (!live) return;
    this.#upstream = connected;
    this.#watch = this.#watchOver(connected);
    const handshake = this.#memory.replayHandshake();
    if (handshake === null) {
      this.#resume();
      return;
    }
    this.#replayId = handshake.id;
    connected.send(handshake.frame.message, handshake.frame.line);
  }

  /** After the handshake: what was open is opened again, then what waited is sent. */
  #resume(): void {
    this.#replayId = null;
    for (const { message, line } of this.#memory.replayRest()) this.#upstream?.send(message, line);
    for (const line of this.#memory.missedUpdates()) this.#write(line);
    const queue = this.#queue;
    this.#queue = [];
    for (const frame of queue) this.#forward(frame);
    this.#flow();
    this.#endWhenAnswered();
    this.#watch?.sent();
  }

  #watchOver({ isSilent }: Upstream): SilenceWatch | null {
    if (isSilent === undefined) return null;
    return new SilenceWatch({
      silenceMs: this.#options.silenceMs ?? SILENCE_MS,
      isWaiting: () => this.#memory.waiting().length > 0,
      isSilent,
      onSilent: () => this.#giveUpWaiting(),
    });
  }

  /** The owner is stuck, suspended perhaps: whoever waits is told. The session stays, for it may go on. */
  #giveUpWaiting(): void {
    for (const request of this.#memory.waiting()) {
      this.#memory.abandon(request.id);
      const effect = this.#options.repeatable(request) ? '' : ' Whether the call took effect is unknown.';
      const reason = `The process that owns the vault does not answer.${effect} Try again later, or end it.`;
      this.#write(rpcErrorText(request.id, INTERNAL_ERROR, reason));
    }
    this.#endWhenAnswered();
  }

  #fromUpstream(message: JSONRPCMessage, line: string): void {
    this.#watch?.heard();
    if (!('method' in message) && message.id !== undefined && message.id === this.#replayId) {
      this.#memory.fromServer(message);
      this.#resume();
      return;
    }
    if (!this.#memory.fromServer(message)) return;
    this.#losses = 0;
    this.#write(line);
    this.#endWhenAnswered();
  }

  #lost(): void {
    if (this.#ended) return;
    this.#watch?.stop();
    this.#watch = null;
    this.#upstream = null;
    this.#replayId = null;
    this.#losses += 1;
    if (this.#losses > MAX_LOSSES) {
      this.#fail(new Error('The owner of the vault was lost again and again'));
      return;
    }
    for (const request of this.#memory.waiting())
      if (!this.#options.repeatable(request))
        this.#answer(
          request,
          'The process that served this call ended before it answered: whether it took effect is unknown. Read before you send it again.',
        );
    this.#options.log.debug('the owner of the vault ended; looking for the next one');
    void this.#connect();
  }

  #fail(error: unknown): void {
    for (const request of this.#memory.waiting()) this.#answer(request, 'No Grove process serves this vault');
    for (const { message } of this.#queue)
      if ('method' in message && 'id' in message)
        this.#answer(message as JSONRPCRequest, 'No Grove process serves this vault');
    void this.end(error);
  }

  #answer(request: JSONRPCRequest, reason: string): void {
    this.#memory.settle(request.id);
    this.#write(rpcErrorText(request.id, INTERNAL_ERROR, reason));
  }

  #write(line: string): void {
    if (!this.#options.output.write(`${line}\n`)) this.#flow();
  }

  #inputEnd(): void {
    if (this.#inputEnded) return;
    this.#inputEnded = true;
    // A script may leave the last line without its line break.
    this.#readLine(this.#lines.rest().toString('utf8'));
    this.#drainTimer = setTimeout(() => void this.end(), DRAIN_MS);
    this.#endWhenAnswered();
  }

  #endWhenAnswered(): void {
    if (this.#inputEnded && this.#queue.length === 0 && this.#memory.waiting().length === 0) void this.end();
  }
}
