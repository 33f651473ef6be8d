import { isLoopback } from '@grove/server';

/** What is wrong with such an address, and what to do. */
export const READABLE =
  'keys, tokens and the passphrase can be read on the way; use https outside your own network';

/**
 * True for an address at which what is sent can be read on its way: without TLS, and not on this machine.
 *
 * @param url where others reach the server
 * @example isReadable('http://nas.local:8420') // true
 */
export function isReadable(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname);
}
