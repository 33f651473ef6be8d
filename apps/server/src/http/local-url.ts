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

/**
 * Where clients reach a server, without a trailing slash: its public address, or the one of this machine.
 *
 * @example ownUrl({ publicUrl: null, host: '127.0.0.1', port: 8420 }) // 'http://127.0.0.1:8420'
 */
export function ownUrl({
  publicUrl,
  host,
  port,
}: {
  readonly publicUrl: string | null;
  readonly host: string;
  readonly port: number;
}): string {
  return publicUrl ?? localUrl(host, port);
}

/** The address of MCP, which is also what OAuth tokens are for (RFC 8707). */
export function mcpAddress(url: string): string {
  return `${url}/mcp`;
}

function localName(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
