/**
 * Where this machine reaches a server, without a trailing slash. One that listens on every address is reached at the
 * loopback one.
 *
 * @param host a host name or an IP address, without brackets
 * @param port a word such as `PORT` for one that is not known
 * @example localUrl('::', 8420) // 'http://[::1]:8420'
 */
export function localUrl(host: string, port: number | string): string {
  return `http://${localName(host)}:${port}`;
}

function localName(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
