import { GroveError } from '@grove/core';
import { isReadable, ownUrl } from '@grove/server';
import { variableOf } from '../settings/setting-names.ts';
import type { ServerSettings, Settings } from '../settings/settings.ts';

/** What is wrong with an address without TLS, and what to do. */
export const READABLE =
  'keys and the passphrase can be read on the way, and no client can sign in there; use https outside your own network';

/**
 * Refuses settings for signing in elsewhere at an address at which nobody signs in.
 *
 * @throws GroveError `bad_input`
 */
export function requireSafeSignIn({ upstreams, given }: Settings, server: ServerSettings): void {
  const [upstream] = upstreams;
  const url = ownUrl(server);
  if (upstream === undefined || !isReadable(url)) return;
  const name = `${upstream.provider}ClientId` as const;
  const called = given.get(name)?.called ?? variableOf(name);
  throw new GroveError(
    'bad_input',
    { reason: `${called} is for signing in, which nobody does at ${url}, an address without TLS` },
    { hint: `Start with --public-url https://..., or leave ${called} out.` },
  );
}

/**
 * The sentence that warns of a server whose traffic others can read; null for one behind TLS, or for this machine alone.
 *
 * @param beyond true when other machines reach it
 */
export function readableWarning(server: ServerSettings, beyond: boolean): string | null {
  const { publicUrl } = server;
  if (publicUrl !== null && isReadable(publicUrl))
    return `${publicUrl} is an address without TLS: ${READABLE}.`;
  // A proxy with TLS in front is told of by the public address.
  if (beyond && publicUrl?.startsWith('https:') !== true)
    return `Other machines reach this server without TLS: ${READABLE}.`;
  return null;
}
