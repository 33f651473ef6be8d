import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type ListenAddress, listenFault } from './listen-address.ts';

/**
 * Listens.
 *
 * @returns the port
 * @throws GroveError `port_taken`, `listen_failed`
 */
export async function listen(app: FastifyInstance, { host, port }: ListenAddress): Promise<number> {
  try {
    await app.listen({ host: await oneAddress(host), port });
  } catch (error) {
    throw listenFault(error, { host, port });
  }
  const address = app.server.address() as AddressInfo;
  return address.port;
}

/**
 * For `localhost` Fastify opens a second server on the other address of the name, which our limits, the refusals of
 * what cannot be parsed and the closing in order would not reach. Clients try both addresses.
 */
async function oneAddress(host: string): Promise<string> {
  if (host !== 'localhost') return host;
  const { address } = await lookup(host, { order: 'ipv4first' });
  return address;
}
