import type { Control } from '@grove/access';
import { isLoopbackRedirect, redirectName } from './redirects.ts';

/**
 * True for an address that a browser may be sent to though nobody at it was asked first. Anyone may register a client, with
 * any address, and could otherwise use the name of this server to lead people there (RFC 9700 section 4.11.2). Trusted is
 * what the owner agreed to, or made; the consent of a guest is not the owner's.
 *
 * @param redirectUri one of the client's
 */
export function isTrustedRedirect(
  { grants, clients }: Pick<Control, 'grants' | 'clients'>,
  clientId: string,
  redirectUri: string,
): boolean {
  // A program of the person's own device listens there (RFC 8252 section 7.3), which is no page of anybody else, and waits
  // for its answer.
  if (isLoopbackRedirect(redirectUri)) return true;
  if (clients.find(clientId) !== null) return true;
  const shown = redirectName(redirectUri);
  return grants
    .list({ client: clientId })
    .some(({ account, redirectHost }) => account === 'owner' && redirectHost === shown);
}
