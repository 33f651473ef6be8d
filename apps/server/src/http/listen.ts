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
    await app.listen({ host, port });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EADDRINUSE') throw new GroveError('port_taken', { host, port }, { cause: error });
    if (code === undefined) throw error;
    throw new GroveError('listen_failed', { host, port, reason: code }, { cause: error });
  }
  const address = app.server.address() as AddressInfo;
  return address.port;
}
