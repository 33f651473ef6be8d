import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FetchDocument } from '../clients/metadata-documents.ts';

/** Serves what clients say of themselves at https addresses that are not this machine's. */
export interface DocumentServer {
  /** Fetches from it whatever address is asked for. */
  readonly fetchDocument: FetchDocument;
  /** Without a trailing slash. */
  readonly url: string;
  /** Addresses that were asked for. */
  readonly asked: readonly string[];
  /** Answers with this for an address from now on; text is sent as it is. */
  put(address: string, document: object | string, status?: number): void;
  close(): Promise<void>;
}

/** Listens on a free port of this machine. */
export async function documentServer(): Promise<DocumentServer> {
  const documents = new Map<string, { readonly text: string; readonly status: number }>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const address = `https:/${request.url ?? ''}`;
    asked.push(address);
    const found = documents.get(address);
    const location = found?.status === 302 ? { location: found.text } : {};
    response.writeHead(found?.status ?? 404, { 'content-type': 'application/json', ...location });
    response.end(found?.text ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    fetchDocument: async (address, { headers, redirect, signal }) =>
      await fetch(address.replace('https:/', url), {
        ...(headers === undefined ? {} : { headers }),
        ...(redirect === undefined ? {} : { redirect }),
        ...(signal === undefined ? {} : { signal }),
      }),
    put: (address, document, status = 200) => {
      const text = typeof document === 'string' ? document : JSON.stringify(document);
      documents.set(address, { text, status });
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
