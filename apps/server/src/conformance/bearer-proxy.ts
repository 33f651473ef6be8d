import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before a server and adds a key to each request; everything else, Host and Origin too, goes through. */
export interface BearerProxy {
  /** Without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Listens on a free port of this machine, for clients that cannot send a key.
 *
 * @param target the server, without a trailing slash
 */
export async function bearerProxy(target: string, token: string): Promise<BearerProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path } = incoming;
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const onward = request({ hostname, port, method, path, headers }, (answer) => pass(answer, outgoing));
    onward.on('error', () => outgoing.destroy());
    // A stream ends at both sides.
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function pass(answer: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  outgoing.flushHeaders();
  answer.on('error', () => outgoing.destroy());
  answer.pipe(outgoing);
}
