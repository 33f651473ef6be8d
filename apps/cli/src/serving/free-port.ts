import { type AddressInfo, createServer } from 'node:net';
import { type ListenAddress, listenFault } from '@grove/server';

/**
 * Looks whether the port can be listened on, before anything else is done: it is taken for a moment and given back.
 *
 * @returns the port; one that is free where any would do
 * @throws GroveError `port_taken`; `listen_failed` for an address that is not this machine's or a port out of reach
 */
export async function requireFreePort({ host, port }: ListenAddress): Promise<number> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, resolve);
    });
  } catch (error) {
    throw listenFault(error, { host, port });
  }
  const { port: found } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return found;
}
