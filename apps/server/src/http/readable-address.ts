import { isLoopback } from './server-names.ts';

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
