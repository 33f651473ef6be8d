import { isIP } from 'node:net';
import { clientMetadata } from './client-metadata.ts';

/** How a document of a client is fetched: as `fetch` does. */
export type FetchDocument = (url: string, init: RequestInit) => Promise<Response>;

/** The largest document that is read, in bytes. */
const MAX_BYTES = 64 * 1024;
/** Names that lead into a network of one's own (RFC 6761, RFC 6762; `internal` is reserved by ICANN). */
const OWN_NETWORK = /\.(?:local|localhost|internal|home\.arpa|lan|intranet|corp|private)$/;

/**
 * True for the address of a document (an OAuth client id that is a URL) that may be fetched. An address that a name
 * resolves to is judged by the provider, once it is connected to.
 *
 * @example mayFetch('https://127.0.0.1/client.json') // false
 */
export function mayFetch(clientId: string): boolean {
  const host = URL.parse(clientId)?.hostname.replace(/\.$/, '') ?? '';
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return false;
  return host.includes('.') && !OWN_NETWORK.test(host);
}

/**
 * The provider's `fetch`: a metadata document goes through {@link clientMetadata} before the provider reads it.
 *
 * @param fetchDocument the network, unless a test stands in for it
 */
export function documentFetch(fetchDocument: FetchDocument = fetchGuarded) {
  return async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    const answer = await fetchDocument(url, init);
    const bytes = await readSome(answer);
    const said = answer.status === 200 ? parsed(bytes) : null;
    const { status, headers } = answer;
    if (said?.client_id !== url)
      return new Response(status === 204 ? null : new Uint8Array(bytes), { status });
    const kept = new Headers({ 'content-type': 'application/json' });
    for (const name of ['cache-control', 'expires']) {
      const value = headers.get(name);
      if (value !== null) kept.set(name, value);
    }
    return new Response(JSON.stringify(clientMetadata(said)), { status, headers: kept });
  };
}

/** The provider hands over a connection guard; where it could not make one, nothing is fetched. */
async function fetchGuarded(url: string, init: RequestInit): Promise<Response> {
  if (!('dispatcher' in init) || init.dispatcher === undefined)
    throw new Error('the guard against private addresses could not be made');
  return await fetch(url, init);
}

async function readSome(answer: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('the document is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parsed(bytes: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
