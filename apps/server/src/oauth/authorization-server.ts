import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { AppOptions } from '../http/options.ts';
import { type Issuer, issuerOf } from './issuer.ts';
import { createProvider } from './provider/create-provider.ts';

/** The authorization server of one HTTP server; made when it is first asked for, since its name may hold the port. */
export class AuthorizationServer {
  readonly #options: AppOptions;
  readonly #http: Server;
  #made: { readonly issuer: Issuer; readonly provider: Provider } | null = null;

  constructor(options: AppOptions, http: Server) {
    this.#options = options;
    this.#http = http;
  }

  get issuer(): Issuer {
    return issuerOf(this.#options, this.#http);
  }

  get provider(): Provider {
    const issuer = this.issuer;
    if (this.#made?.issuer.origin !== issuer.origin)
      this.#made = { issuer, provider: createProvider({ ...this.#options, issuer }) };
    return this.#made.provider;
  }

  /** What lets the provider answer requests, each of which it knows by the issuer's own address. */
  answerer(): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
    const { issuer } = this;
    const callback = this.provider.callback();
    return async (request, response) => {
      ownAddress(request, issuer);
      withoutSession(request);
      await callback(request, response);
    };
  }
}

/**
 * The provider makes its addresses from the Host header and from what a proxy says of itself. Neither counts: clients
 * compare the addresses with the issuer.
 */
function ownAddress(request: IncomingMessage, { origin }: Issuer): void {
  const { host, protocol } = new URL(origin);
  Object.assign(request.headers, {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.replace(':', ''),
  });
  // Fastify notes an absolute target here, which the provider would put before its paths.
  Object.assign(request, { originalUrl: request.url });
}

/**
 * The provider's own session plays no part: each authorization is answered by the person in front of it, and the owner's
 * session is that of the owner's page. Without the cookie each request begins a new session, so that there is none to be
 * fixed, and two authorizations of one browser do not meet.
 */
function withoutSession({ headers }: IncomingMessage): void {
  if (headers.cookie === undefined) return;
  const kept = headers.cookie.split(/; ?/).filter((pair) => !/^grove_oauth(?:\.sig)?=/.test(pair));
  headers.cookie = kept.join('; ');
}
