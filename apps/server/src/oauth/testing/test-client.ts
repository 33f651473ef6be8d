import { createHash, randomBytes } from 'node:crypto';
import { Browser, type Visited } from './browser.ts';
import { type OAuthGarden, PASSPHRASE } from './oauth-garden.ts';

/** What the token endpoint answers. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
}

/** An answer in JSON. */
export interface JsonAnswer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

/** How a person answers. */
export interface Choice {
  readonly notes?: string;
  readonly access?: 'read' | 'write';
}

/** One client in the middle of an authorization. */
export class TestClient {
  readonly id: string;
  readonly redirectUri: string;
  readonly secret: string | null;
  readonly verifier = randomBytes(32).toString('base64url');
  readonly state = randomBytes(8).toString('hex');
  readonly #garden: OAuthGarden;

  constructor(garden: OAuthGarden, id: string, redirectUri: string, secret: string | null = null) {
    this.#garden = garden;
    this.id = id;
    this.redirectUri = redirectUri;
    this.secret = secret;
  }

  /** Registers by dynamic registration. */
  static async registered(
    garden: OAuthGarden,
    said: Readonly<Record<string, unknown>> = {},
  ): Promise<TestClient> {
    const redirect = 'https://client.example/callback';
    const { status, body } = await postJson(`${garden.url}/oauth/register`, {
      client_name: 'Test client',
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'none',
      ...said,
    });
    if (status !== 201) throw new Error(`registration: ${status} ${JSON.stringify(body)}`);
    const [uri = redirect] = (said.redirect_uris as string[] | undefined) ?? [redirect];
    const secret = (body.client_secret as string | undefined) ?? null;
    return new TestClient(garden, String(body.client_id), uri, secret);
  }

  /** The address of the authorization; null leaves a parameter out. */
  authorizeUrl(changes: Readonly<Record<string, string | null>> = {}): string {
    const url = new URL('/oauth/authorize', this.#garden.url);
    const parameters: Record<string, string | null> = {
      response_type: 'code',
      client_id: this.id,
      redirect_uri: this.redirectUri,
      state: this.state,
      scope: 'vault:read vault:write offline_access',
      resource: this.#garden.resource,
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    };
    for (const [name, value] of Object.entries(parameters))
      if (value !== null) url.searchParams.set(name, value);
    return url.href;
  }

  /** Signs the owner in, and agrees; gives the parameters that the client gets. */
  async authorize(
    choice: Choice = {},
    changes: Readonly<Record<string, string | null>> = {},
    browser = new Browser(this.#garden.url),
  ): Promise<URLSearchParams> {
    const page = await browser.visit(this.authorizeUrl(changes));
    const consent = await browser.submit(page, '/owner', { passphrase: PASSPHRASE });
    return this.answered(await browser.submit(consent, '/consent', this.choice(choice)));
  }

  choice({ notes = `vault:${this.#garden.opened.slug}`, access = 'write' }: Choice): Record<string, string> {
    return { notes, access };
  }

  /** What the client is told at its own address. */
  answered({ location, status, text }: Visited): URLSearchParams {
    if (location?.startsWith(this.redirectUri) !== true)
      throw new Error(`not sent back: ${status} ${location ?? ''} ${text}`);
    const { search, hash } = new URL(location);
    return new URLSearchParams(`${search.slice(1)}&${hash.slice(1)}`);
  }

  async token(fields: Readonly<Record<string, string | null>>): Promise<JsonAnswer> {
    const all: Record<string, string | null> = {
      client_id: this.id,
      ...(this.secret === null ? {} : { client_secret: this.secret }),
      ...fields,
    };
    return await this.#post('/oauth/token', all);
  }

  async exchange(
    code: string | null,
    changes: Readonly<Record<string, string | null>> = {},
  ): Promise<JsonAnswer> {
    return await this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      resource: this.#garden.resource,
      ...changes,
    });
  }

  async refresh(refreshToken: string): Promise<JsonAnswer> {
    return await this.token({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      resource: this.#garden.resource,
    });
  }

  async revoke(token: string): Promise<number> {
    const { status } = await this.#post('/oauth/revoke', { client_id: this.id, token });
    return status;
  }

  /** The whole way to tokens. */
  async connect(choice: Choice = {}, changes: Readonly<Record<string, string | null>> = {}): Promise<Tokens> {
    const answer = await this.authorize(choice, changes);
    const { status, body } = await this.exchange(answer.get('code'));
    if (status !== 200) throw new Error(`tokens: ${status} ${JSON.stringify(body)}`);
    return body as unknown as Tokens;
  }

  async #post(path: string, fields: Readonly<Record<string, string | null>>): Promise<JsonAnswer> {
    const sent = Object.entries(fields).filter((field): field is [string, string] => field[1] !== null);
    return await answerOf(
      await fetch(`${this.#garden.url}${path}`, { method: 'POST', body: new URLSearchParams(sent) }),
    );
  }
}

/** Sends JSON. */
export async function postJson(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<JsonAnswer> {
  return await answerOf(
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
}

/** What MCP answers to a call of a tool with this token. */
export async function callTool(
  garden: Pick<OAuthGarden, 'resource'>,
  token: string,
  name = 'query',
  args: object = { query: 'compost' },
): Promise<JsonAnswer & { readonly text: string }> {
  const answer = await fetch(garden.resource, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const text = await answer.text();
  return { status: answer.status, body: {}, headers: answer.headers, text };
}

async function answerOf(answer: Response): Promise<JsonAnswer> {
  const text = await answer.text();
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { status: answer.status, body, headers: answer.headers };
}
