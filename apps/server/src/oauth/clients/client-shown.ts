import { UNPRINTABLE } from '@grove/access';
import { redirectName } from './redirects.ts';

/** A client as people are told of it. */
export interface ClientShown {
  readonly id: string;
  readonly name: string;
  /** Where it continues. */
  readonly redirect: string;
}

const MAX_NAME = 60;

/**
 * A client's name, as it calls itself, and where it leads. Anybody can call themselves anything, so that the address is
 * what counts.
 */
export function clientShown(
  { clientId, clientName }: { readonly clientId: string; readonly clientName?: string | undefined },
  redirectUri: string,
): ClientShown {
  const said = (clientName ?? '').replaceAll(UNPRINTABLE, '').trim();
  const characters = [...said];
  const name = characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME - 1).join('')}…` : said;
  return {
    id: clientId,
    name: name === '' ? (URL.parse(clientId)?.host ?? 'A client without a name') : name,
    redirect: redirectName(redirectUri),
  };
}
