import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';

/** What a test asks of the REST routes: a request without a socket, with a key. */
export type Ask = (
  url: string,
  options?: Omit<InjectOptions, 'url' | 'path'> & { readonly headers?: Readonly<Record<string, string>> },
) => Promise<LightMyRequestResponse>;

/** Asks with one key; a test's own headers stand beside it. */
export function askWith(app: FastifyInstance, token: string): Ask {
  return (url, options = {}) =>
    app.inject({ ...options, url, headers: { authorization: `Bearer ${token}`, ...options.headers } });
}
