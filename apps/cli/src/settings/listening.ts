import { GroveError } from '@grove/core';
import { parseHost } from '@grove/server/addresses';

/** An address to listen on, as the system takes it: IPv6 without brackets. */
export function listenHost(text: string, name: string): string {
  const host = text.replace(/^\[(.*)\]$/, '$1');
  parseHost(host, name);
  return host;
}

export function parsePort(text: string, name: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new GroveError('bad_input', {
    reason: `${name} is no port: a whole number up to 65535, 0 for any free one`,
  });
}
