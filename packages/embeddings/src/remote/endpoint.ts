import { GroveError } from '@grove/core';

/** Where texts are sent, and with which key. The key is in nothing but the header of a request. */
export interface Endpoint {
  readonly url: URL;
  /** As people read it: name and, where it is not the usual one, port. */
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The address at which an OpenAI-compatible server makes vectors. `/embeddings` is added to the base URL, and `/v1`
 * before it when the URL has no path.
 *
 * @throws `bad_input` for what is no http address, one with a name and password in it, or a key that no header can hold
 * @example endpointOf('http://localhost:11434', undefined).url.pathname // /v1/embeddings
 */
export function endpointOf(baseUrl: string, key: string | undefined): Endpoint {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw refused('the address of the embedder is no http or https address');
  if (url.username !== '' || url.password !== '')
    throw refused('the address of the embedder holds a name or password; give the key on its own');
  const path = url.pathname.replace(/\/+$/, '');
  if (!path.endsWith('/embeddings')) url.pathname = `${path || '/v1'}/embeddings`;
  url.hash = '';
  return { url, host: url.host, headers: headersOf(key) };
}

function headersOf(key: string | undefined): Record<string, string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  if (key === undefined) return headers;
  // An error about a header would quote it.
  if (!/^[\x21-\x7e]+$/.test(key)) throw refused('the key of the embedder is empty or holds white space');
  return { ...headers, authorization: `Bearer ${key}` };
}

const refused = (reason: string) => new GroveError('bad_input', { reason });
