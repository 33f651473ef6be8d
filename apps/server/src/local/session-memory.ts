import { randomId } from '@grove/core';
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  SUBSCRIPTION_ID_META_KEY,
} from '@modelcontextprotocol/server';

/** One message as it travels: parsed, and the text of its line. */
export interface Frame {
  readonly message: JSONRPCMessage;
  readonly line: string;
}

interface Pending extends Frame {
  readonly message: JSONRPCRequest;
  /** A `subscriptions/listen` that was acknowledged: it stays open and is acknowledged only once. */
  acknowledged: boolean;
}

/**
 * What a session has to know so that another process can carry it on: the handshake, the requests without an
 * answer, the subscriptions. It reads every message that passes and decides which answers the client must not see
 * because they belong to a replay.
 */
export class SessionMemory {
  #initialize: Frame | null = null;
  #initializeAnswered = false;
  #initialized: Frame | null = null;
  readonly #pending = new Map<RequestId, Pending>();
  /** Resources that a client of revision 2025-11-25 watches. */
  readonly #watched = new Map<string, Frame>();
  readonly #replayed = new Set<RequestId>();

  /** Takes note of a message from the client. */
  fromClient(frame: Frame): void {
    const { message } = frame;
    if (!('method' in message)) return;
    if ('id' in message) {
      if (message.method === 'initialize' && !this.#initializeAnswered) this.#initialize = frame;
      this.#pending.set(message.id, { ...frame, message, acknowledged: false });
    } else if (message.method === 'notifications/initialized') this.#initialized = frame;
    else if (message.method === 'notifications/cancelled') {
      const id = message.params?.requestId;
      if (typeof id === 'string' || typeof id === 'number') this.#pending.delete(id);
    }
  }

  /** Takes note of a message to the client; false when the client must not get it. */
  fromServer(message: JSONRPCMessage): boolean {
    if ('method' in message) return this.#acknowledge(message);
    const { id } = message;
    if (id === undefined) return true;
    if (this.#replayed.delete(id)) return false;
    const request = this.#pending.get(id);
    if (request === undefined) return true;
    const failed = 'error' in message;
    // An owner that leaves ends its listeners with a result; the next owner takes them up.
    if (request.message.method === 'subscriptions/listen' && !failed) return false;
    this.#pending.delete(id);
    if (!failed) this.#answered(request);
    return true;
  }

  /** Requests that wait for an answer, oldest first; open listeners do not count. */
  waiting(): readonly JSONRPCRequest[] {
    return [...this.#pending.values()]
      .filter((frame) => frame.message.method !== 'subscriptions/listen')
      .map((frame) => frame.message);
  }

  /** Forgets a request that got its answer here. */
  settle(id: RequestId): void {
    this.#pending.delete(id);
  }

  /** Forgets a request that got its answer here while its owner may answer yet: the client must not get a second. */
  abandon(id: RequestId): void {
    if (this.#pending.delete(id)) this.#replayed.add(id);
  }

  /** The handshake under an id of its own, whose answer the client does not see; null when there was none. */
  replayHandshake(): { readonly id: RequestId; readonly frame: Frame } | null {
    if (this.#initialize === null || !this.#initializeAnswered) return null;
    return this.#underOwnId(this.#initialize);
  }

  /** What follows the handshake: `initialized`, the watched resources, every request without an answer. */
  replayRest(): readonly Frame[] {
    const pending = [...this.#pending.values()];
    return [
      ...pending.filter((frame) => frame.message.method === 'initialize'),
      ...(this.#initialized === null ? [] : [this.#initialized]),
      ...[...this.#watched.values()].map((frame) => this.#underOwnId(frame).frame),
      ...pending.filter((frame) => frame.message.method !== 'initialize'),
    ];
  }

  /** Notifications for the client that watched resources may have changed while no owner was there to see it. */
  missedUpdates(): readonly string[] {
    const lines = [...this.#watched.keys()].map((uri) => updated({ uri }));
    for (const [id, { message, acknowledged }] of this.#pending) {
      if (message.method !== 'subscriptions/listen' || !acknowledged) continue;
      for (const uri of listenedUris(message))
        lines.push(updated({ uri, _meta: { [SUBSCRIPTION_ID_META_KEY]: id } }));
    }
    return lines;
  }

  #answered({ message, line }: Pending): void {
    if (message.method === 'initialize') this.#initializeAnswered = true;
    const uri = message.params?.uri;
    if (typeof uri !== 'string') return;
    if (message.method === 'resources/subscribe') this.#watched.set(uri, { message, line });
    if (message.method === 'resources/unsubscribe') this.#watched.delete(uri);
  }

  #acknowledge(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/subscriptions/acknowledged') return true;
    const meta = message.params?._meta;
    const id = meta?.[SUBSCRIPTION_ID_META_KEY];
    const listener = typeof id === 'string' || typeof id === 'number' ? this.#pending.get(id) : undefined;
    if (listener === undefined) return true;
    const first = !listener.acknowledged;
    listener.acknowledged = true;
    return first;
  }

  #underOwnId({ message }: Frame): { id: RequestId; frame: Frame } {
    const id = `replay-${randomId()}`;
    this.#replayed.add(id);
    const copy = { ...message, id } as JSONRPCRequest;
    return { id, frame: { message: copy, line: JSON.stringify(copy) } };
  }
}

function updated(params: Record<string, unknown>): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params });
}

function listenedUris(message: JSONRPCRequest): readonly string[] {
  const filter = message.params?.notifications;
  if (typeof filter !== 'object' || filter === null || !('resourceSubscriptions' in filter)) return [];
  const uris = filter.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
}
