import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { errorCode, GroveError } from '@grove/core';
import type { FastifyInstance } from 'fastify';

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

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
    const code = errorCode(error);
    if (code === 'EADDRINUSE') throw new GroveError('port_taken', { host, port }, { cause: error });
    if (code === undefined) throw error;
    throw new GroveError('listen_failed', { host, port, reason: code }, { cause: error });
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
