/** Hosts of a machine's own loopback, as URL spells them (RFC 8252 section 7.3). */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True for an address on the machine of the client itself. */
export function isLoopbackRedirect(uri: string): boolean {
  const url = URL.parse(uri);
  return url?.protocol === 'http:' && LOOPBACK.has(url.hostname);
}

/**
 * What kind of program is reached by these addresses: of a native one, the ports of loopback addresses play no part, and
 * schemes of its own are taken. What a client says of itself is no guide: VS Code names none, others name the wrong one.
 *
 * @example applicationTypeOf(['cursor://anysphere.cursor-mcp/oauth/callback']) // 'native'
 */
export function applicationTypeOf(redirectUris: readonly string[]): 'native' | 'web' {
  return redirectUris.every((uri) => URL.parse(uri)?.protocol === 'https:') ? 'web' : 'native';
}

/**
 * Where a person is sent after the consent, in words: a host, or the scheme of a program on their own device.
 *
 * @example redirectName('http://127.0.0.1:33418/callback') // 'this device (127.0.0.1:33418)'
 */
export function redirectName(uri: string): string {
  const url = URL.parse(uri);
  if (url === null) return uri;
  if (isLoopbackRedirect(uri)) return `this device (${url.host})`;
  return url.protocol === 'https:' ? url.host : `an app on this device (${url.protocol}//${url.host})`;
}
