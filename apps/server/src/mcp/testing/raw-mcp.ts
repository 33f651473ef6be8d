/** An answer to one HTTP request, with the JSON-RPC messages in it. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly messages: readonly RawMessage[];
  readonly text: string;
}

/** A JSON-RPC message of any kind. */
export interface RawMessage {
  readonly id?: unknown;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every method.
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** What a request is to differ in; a header that is null is left out. */
export interface RawOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly signal?: AbortSignal;
}

/** Speaks to `/mcp` without a client library, so that tests can send what no library would. */
export class RawMcp {
  readonly #url: string;
  readonly #token: string;

  /** @param url the endpoint */
  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Sends a body: a value as JSON, text and bytes as they are. */
  async send(body: unknown, options: RawOptions = {}): Promise<RawAnswer> {
    const response = await this.open(body, options);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, messages: messagesIn(text) };
  }

  /** The result in the answer to one request; throws where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every method.
  async result(body: unknown, options: RawOptions = {}): Promise<any> {
    const { messages, text } = await this.send(body, options);
    const [message] = messages;
    if (message?.result === undefined) throw new Error(`no result: ${text}`);
    return message.result;
  }

  /** Like {@link send}, with a body of the answer that may go on. */
  async open(body: unknown, { method = 'POST', headers = {}, signal }: RawOptions = {}): Promise<Response> {
    const all: Record<string, string | null> = {
      authorization: `Bearer ${this.#token}`,
      accept: 'application/json, text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    return await fetch(this.#url, {
      method,
      headers: Object.fromEntries(
        Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
      ),
      ...(body === undefined ? {} : { body: isAsItIs(body) ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** Opens a session, as a client that can be asked something; gives its id. */
  async session(capabilities: object = { elicitation: {} }): Promise<string> {
    const { headers } = await this.send(initialize(capabilities));
    const id = headers.get('mcp-session-id');
    if (id === null) throw new Error('the server opened no session');
    return id;
  }
}

function isAsItIs(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/** The handshake of revision 2025-11-25. */
export function initialize(capabilities: object = {}, protocolVersion = '2025-11-25'): object {
  return legacy('initialize', { protocolVersion, capabilities, clientInfo: { name: 'raw', version: '1' } });
}

/** A request of revision 2025-11-25. */
export function legacy(method: string, params: object = {}, id: string | number = 1): object {
  return { jsonrpc: '2.0', id, method, params };
}

/** A call of a tool in revision 2025-11-25. */
export function legacyCall(name: string, input: object = {}, id: string | number = 1): object {
  return legacy('tools/call', { name, arguments: input }, id);
}

/** A request of revision 2026-07-28 and the headers that it takes. */
export function modern(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  id: string | number = 1,
): { readonly body: object; readonly headers: Readonly<Record<string, string>> } {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  };
  const name = params.name ?? params.uri;
  return {
    body: { jsonrpc: '2.0', id, method, params: { ...params, _meta } },
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
  };
}

/** The messages in JSON or in server-sent events; none in what is neither. */
export function messagesIn(text: string): RawMessage[] {
  if (text.startsWith('{') || text.startsWith('[')) return [JSON.parse(text)].flat() as RawMessage[];
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data) as RawMessage);
}
