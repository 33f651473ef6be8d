import type { FastifyInstance } from 'fastify';
import type { AppOptions } from '../http/options.ts';
import { issuerOf } from './issuer.ts';

/**
 * Says that access tokens must be for this server, which knows its address once it listens. Grants for a public address
 * that it had before end: who holds them has to be let in again.
 */
export function claimResource({ server }: FastifyInstance, options: AppOptions): void {
  const { control, log, publicUrl } = options;
  const { resource } = issuerOf(options, server);
  control.serveAt(resource);
  // Without one the port may be another for this once.
  if (publicUrl === null) return;
  const ended = control.grants.revokeForeign();
  if (ended.length > 0)
    log.warn(
      { resource, clients: ended.map(({ clientName }) => clientName) },
      'the public address is another than before: clients that were let in have to sign in again',
    );
}
