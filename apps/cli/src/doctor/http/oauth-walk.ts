import { createHash, randomBytes } from 'node:crypto';
import { ANSWER_MS, bearer } from './ask.ts';
import type { PassingGuest } from './subject.ts';

/** An answer that is not what the step needs. */
export class WalkFault extends Error {
  override readonly name = 'WalkFault';
}

/** An answer, read to its end. */
interface Reached {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const FORM = 'application/x-www-form-urlencoded';
const MCP = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

/**
 * Goes the way of an OAuth client, and of the person before its pages, on this machine: addresses that name the issuer are
 * asked for where the server is reached from here.
 */
export class OAuthWalk {
  readonly #url: string;
  readonly #issuer: string;
  readonly #guest: PassingGuest;
  readonly #verifier = randomBytes(32).toString('base64url');
  readonly #state = randomBytes(8).toString('hex');
  readonly #cookies = new Map<string, string>();
  #step = 'begin';

  constructor(url: string, issuer: string, guest: PassingGuest) {
    this.#url = url;
    this.#issuer = issuer;
    this.#guest = guest;
  }

  /** What is being done, in words. */
  get step(): string {
    return this.#step;
  }

  /** @throws WalkFault where an answer is not what it has to be */
  async go(): Promise<void> {
    const metadata = await this.#findServer();
    const code = await this.#authorize(metadata);
    const tokens = await this.#tokens(metadata, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.#guest.redirectUri,
      code_verifier: this.#verifier,
    });
    await this.#call(tokens.access_token, 200);
    this.#step = 'renewing the token';
    const { access_token: renewed } = await this.#tokens(metadata, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
    });
    await this.#call(renewed, 200);
    this.#step = 'revoking the token';
    await this.#post(textOf(metadata, 'revocation_endpoint'), { ...this.#proof(), token: renewed });
    await this.#call(renewed, 401);
  }

  async #findServer(): Promise<Readonly<Record<string, unknown>>> {
    this.#step = 'the refusal of a call without a token';
    const refused = await this.#ask(`${this.#url}/mcp`, { method: 'POST', headers: MCP, body: LIST });
    const challenge = refused.headers.get('www-authenticate') ?? '';
    const [, address] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    need(refused.status === 401, `it answers ${refused.status} instead of 401`);
    need(address !== undefined, 'its WWW-Authenticate header names no metadata');
    this.#step = 'the metadata of the resource';
    const resource = jsonOf(await this.#ask(address));
    need(
      resource.resource === `${this.#issuer}/mcp`,
      `they are for ${String(resource.resource)}, and clients were given ${this.#issuer}/mcp`,
    );
    this.#step = 'the metadata of the authorization server';
    const metadata = jsonOf(await this.#ask(`${this.#issuer}/.well-known/oauth-authorization-server`));
    need(metadata.issuer === this.#issuer, `the issuer is ${String(metadata.issuer)}`);
    return metadata;
  }

  async #authorize(metadata: Readonly<Record<string, unknown>>): Promise<string> {
    this.#step = 'the beginning of an authorization';
    const authorize = new URL(textOf(metadata, 'authorization_endpoint'));
    authorize.search = new URLSearchParams({
      response_type: 'code',
      client_id: this.#guest.clientId,
      redirect_uri: this.#guest.redirectUri,
      state: this.#state,
      scope: 'vault:read',
      resource: `${this.#issuer}/mcp`,
      code_challenge: createHash('sha256').update(this.#verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString();
    const page = locationOf(await this.#ask(authorize.href));
    this.#step = 'signing in';
    const signIn = await this.#ask(page);
    locationOf(await this.#post(`${page}/trail`, { form: formOf(signIn), secret: this.#guest.trailToken }));
    this.#step = 'the consent';
    const consent = await this.#ask(page);
    const agreed = { form: formOf(consent), notes: '', access: 'read' };
    const resume = locationOf(await this.#post(`${page}/consent`, agreed));
    this.#step = 'the way back to the client';
    const back = new URL(locationOf(await this.#ask(resume)));
    const { searchParams: told } = back;
    need(back.href.startsWith(this.#guest.redirectUri), `it leads to ${back.origin}`);
    need(told.get('error') === null, `it tells the client ${told.get('error')}`);
    need(
      told.get('state') === this.#state && told.get('iss') === this.#issuer,
      'its state or issuer is wrong',
    );
    const code = told.get('code');
    need(code !== null, 'it brings no code');
    this.#step = 'the exchange of the code for tokens';
    return code;
  }

  async #tokens(
    metadata: Readonly<Record<string, unknown>>,
    fields: Readonly<Record<string, string>>,
  ): Promise<{ readonly access_token: string; readonly refresh_token: string }> {
    const sent = { ...fields, ...this.#proof(), resource: `${this.#issuer}/mcp` };
    const answer = jsonOf(await this.#post(textOf(metadata, 'token_endpoint'), sent));
    return { access_token: textOf(answer, 'access_token'), refresh_token: textOf(answer, 'refresh_token') };
  }

  async #call(token: string, status: number): Promise<void> {
    this.#step = status === 200 ? 'a call with the token' : 'a call with the revoked token';
    const headers = { ...MCP, ...bearer(token) };
    const answer = await this.#ask(`${this.#url}/mcp`, { method: 'POST', headers, body: LIST });
    need(answer.status === status, `it answers ${answer.status} instead of ${status}`);
    need(status !== 200 || answer.text.includes('"tools"'), 'it lists no tools');
  }

  #proof(): Readonly<Record<string, string>> {
    return { client_id: this.#guest.clientId, client_secret: this.#guest.clientSecret };
  }

  async #post(url: string, fields: Readonly<Record<string, string>>): Promise<Reached> {
    const body = new URLSearchParams(fields).toString();
    return await this.#ask(url, { method: 'POST', headers: { 'content-type': FORM }, body });
  }

  async #ask(address: string, init: RequestInit = {}): Promise<Reached> {
    const url = new URL(address, this.#url).href.replace(this.#issuer, this.#url);
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      ...(init.headers as Record<string, string> | undefined),
      ...(cookie === '' ? {} : { cookie }),
    };
    const answer = await fetch(url, {
      ...init,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }
}

function need(holds: boolean, message: string): asserts holds {
  if (!holds) throw new WalkFault(message);
}

function locationOf({ status, headers, text }: Reached): string {
  const location = headers.get('location');
  const [, code] = /<code>([^<]+)<\/code>/.exec(text) ?? [];
  need(
    location !== null,
    `it answers ${status}${code === undefined ? '' : ` (${code})`} instead of leading on`,
  );
  return location;
}

function formOf({ status, text }: Reached): string {
  const [, form] = /name="form" value="([^"]+)"/.exec(text) ?? [];
  need(form !== undefined, `it answers ${status} without a form`);
  return form;
}

function jsonOf({ status, text }: Reached): Readonly<Record<string, unknown>> {
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  need(typeof body === 'object' && body !== null, `it answers ${status} without JSON`);
  const { error, error_description: description } = body as Readonly<Record<string, unknown>>;
  need(status === 200, `it answers ${status} (${String(error ?? '')} ${String(description ?? '')})`);
  return body as Readonly<Record<string, unknown>>;
}

function textOf(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name];
  need(typeof value === 'string', `"${name}" is missing`);
  return value;
}
