import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many connections past the cap are heard, so that they can be told why they are turned away. */
const SPARE = 64;
/** How long such a connection may take to say what it wants, in milliseconds. */
const SPARE_MS = 2_000;
/** A client that leaves its answers unread: how long its connection stays after it sent what cannot be parsed. */
const LINGER_MS = 5_000;
/**
 * Answers that one connection may wait for. Node takes in all requests that a client sends without waiting, and keeps
 * their answers in memory until the first is read: a few small packets would fill it.
 */
export const MOST_PENDING = 8;

/** The connections of one HTTP server, each with the answers that it still waits for. */
export class Connections {
  readonly #max: number;
  readonly #open = new Map<Socket, Set<ServerResponse>>();
  readonly #spare = new WeakSet<Socket>();
  readonly #excess = new WeakSet<ServerResponse>();
  #isDraining = false;
  #isCut = false;

  /** @param max connections that are served; a few more are accepted and turned away with an answer */
  constructor(max: number) {
    this.#max = max;
  }

  /** Follows what the server accepts. */
  watch(server: Server): void {
    server.maxConnections = this.#max + SPARE;
    server.on('connection', (socket) => this.#connected(socket));
    // Before the application, which may answer at once.
    server.prependListener('request', (request, response) => this.#requested(request, response));
  }

  get size(): number {
    return this.#open.size;
  }

  /** True for a connection past the cap: its request is to be refused. */
  isSpare(socket: Socket): boolean {
    return this.#spare.has(socket);
  }

  /** True for an answer that its connection may not wait for besides those before it: the request is to be refused. */
  isExcess(response: ServerResponse): boolean {
    return this.#excess.has(response);
  }

  /** Answers that the connection waits for, in the order of their requests. */
  pending(socket: Socket): readonly ServerResponse[] {
    return [...(this.#open.get(socket) ?? [])];
  }

  /** Ends a connection once its answers are out, or its client has left them unread for too long. */
  endAfterAnswers(socket: Socket): void {
    const answers = this.#open.get(socket);
    if (answers === undefined || answers.size === 0) {
      socket.destroySoon();
      return;
    }
    for (const answer of answers) answer.once('close', () => this.#endIfIdle(socket));
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(timer));
  }

  /** From now on each connection ends with its last answer; those that said nothing yet end at once. */
  drain(): void {
    this.#isDraining = true;
    for (const [socket, answers] of this.#open)
      if (answers.size === 0 && socket.bytesRead === 0) socket.destroy();
  }

  /** Resolves when every connection that waits for an answer now has ended. */
  async answered(): Promise<void> {
    const waiting = [...this.#open].filter(([, answers]) => answers.size > 0);
    await Promise.all(waiting.map(([socket]) => new Promise((resolve) => socket.once('close', resolve))));
  }

  /**
   * Ends every connection now, and each that comes.
   *
   * @returns how many there were
   */
  cut(): number {
    this.#isCut = true;
    const { size } = this.#open;
    for (const socket of this.#open.keys()) socket.destroy();
    return size;
  }

  #connected(socket: Socket): void {
    if (this.#isCut) {
      socket.destroy();
      return;
    }
    this.#open.set(socket, new Set());
    let timer: NodeJS.Timeout | undefined;
    if (this.#open.size > this.#max) {
      this.#spare.add(socket);
      timer = setTimeout(() => socket.destroy(), SPARE_MS).unref();
    }
    socket.once('close', () => {
      clearTimeout(timer);
      this.#open.delete(socket);
    });
  }

  #requested({ socket }: IncomingMessage, response: ServerResponse): void {
    const answers = this.#open.get(socket);
    if (answers === undefined) return;
    answers.add(response);
    if (answers.size > MOST_PENDING) this.#excess.add(response);
    response.once('close', () => {
      answers.delete(response);
      if (this.#isDraining) this.#endIfIdle(socket);
    });
  }

  #endIfIdle(socket: Socket): void {
    if (this.#open.get(socket)?.size === 0) socket.destroySoon();
  }
}
