import type { FastifyInstance } from 'fastify';
import { legacy, RawMcp } from '../mcp/testing/raw-mcp.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every tool are looked into.
export type Loose = any;

/** What was asked and answered, over whatever way. */
export interface Heard {
  /** What was asked, with escapes of addresses undone. */
  readonly asked: string;
  /** All that was answered, with the headers over REST. */
  readonly said: string;
}

/** The two sets of tools that a server has. */
export type Profile = 'notes' | 'search';

/**
 * Who holds a token, and asks with it by every way that a server has.
 *
 * @example (await guest.tool('get', { path: 'Compost.md' })).path
 */
export class TrailGuest {
  readonly #app: FastifyInstance;
  readonly #token: string;
  readonly #onAnswer: (heard: Heard) => void;
  readonly #ways: Readonly<Record<Profile, RawMcp>>;

  /**
   * @param app the server, for REST
   * @param url where it listens, for MCP; without a trailing slash
   * @param onAnswer hears of each answer
   */
  constructor(app: FastifyInstance, url: string, token: string, onAnswer: (heard: Heard) => void) {
    this.#app = app;
    this.#token = token;
    this.#onAnswer = onAnswer;
    this.#ways = {
      notes: new RawMcp(`${url}/mcp`, token),
      search: new RawMcp(`${url}/mcp?profile=search`, token),
    };
  }

  /** The result of a request of MCP; undefined where it was refused. */
  async rpc(method: string, params: object, profile: Profile = 'notes'): Promise<Loose> {
    const { text, messages } = await this.#ways[profile].send(legacy(method, { ...params }));
    this.#onAnswer({ asked: JSON.stringify([method, params]), said: text });
    return messages[0]?.result;
  }

  /** The structured answer of a tool, be it an error. */
  async tool(name: string, input: object, profile: Profile = 'notes'): Promise<Loose> {
    return (await this.rpc('tools/call', { name, arguments: input }, profile))?.structuredContent;
  }

  /** Asks a REST route: with a body by POST, else by GET. */
  async rest(url: string, headers: Readonly<Record<string, string>> = {}, body?: object): Promise<Loose> {
    const response = await this.#app.inject({
      url,
      headers: { authorization: `Bearer ${this.#token}`, ...headers },
      ...(body === undefined ? {} : { method: 'POST', payload: body }),
    });
    this.#onAnswer({
      asked: decodeURIComponent(url.replaceAll('+', ' ')) + (body === undefined ? '' : JSON.stringify(body)),
      said: `${JSON.stringify(response.headers)} ${response.body}`,
    });
    return response;
  }
}
