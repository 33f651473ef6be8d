import { createServer } from 'node:net';
import { errorCode, GroveError } from '@grove/core';

/**
 * Looks whether the port can be listened on, before anything else is done: it is taken for a moment and given back.
 *
 * @throws GroveError `port_taken`; `listen_failed` for an address that is not this machine's or a port out of reach
 */
export async function requireFreePort({
  host,
  port,
}: {
  readonly host: string;
  readonly port: number;
}): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, resolve);
    });
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'EADDRINUSE') throw new GroveError('port_taken', { host, port }, { cause });
    if (code === undefined) throw cause;
    throw new GroveError('listen_failed', { host, port, reason: code }, { cause });
  }
  await new Promise((resolve) => server.close(resolve));
}
