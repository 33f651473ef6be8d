import { GroveError } from '@grove/core';
import { shownName } from './name.ts';

const MOST = 20;
const LONGEST = 2_000;
/** What a browser would run or show instead of handing the code to a program. */
const REFUSED_SCHEMES = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'ftp:',
  'ws:',
  'wss:',
]);

/**
 * Addresses to which a client's user is sent back: `https`, `http` of this machine alone, or a scheme that a program
 * has registered (RFC 8252, section 7); exact, so without a fragment.
 *
 * @throws GroveError `bad_input`
 * @example parseRedirectUris(['https://claude.ai/api/mcp/auth_callback'])
 */
export function parseRedirectUris(given: readonly string[]): readonly string[] {
  const uris = [...new Set(given.map((text) => text.trim()))];
  if (uris.length === 0) throw refuse('a client needs a redirect address');
  if (uris.length > MOST) throw refuse(`a client has at most ${MOST} redirect addresses`);
  for (const uri of uris) {
    const reason = faultOf(uri);
    if (reason !== null) throw refuse(`the redirect address "${shownName(uri)}" ${reason}`);
  }
  return uris;
}

function faultOf(uri: string): string | null {
  const url = URL.canParse(uri) && uri.length <= LONGEST ? new URL(uri) : null;
  if (url === null) return 'is no address in full, such as https://example.com/callback';
  if (url.hash !== '' || uri.includes('#')) return 'has a fragment';
  if (url.username !== '' || url.password !== '') return 'holds a user name';
  if (url.protocol === 'https:') return null;
  if (url.protocol === 'http:')
    return ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) ? null : 'must begin with https://';
  return REFUSED_SCHEMES.has(url.protocol) ? `may not be of the scheme "${url.protocol}"` : null;
}

function refuse(reason: string): GroveError {
  return new GroveError('bad_input', { reason });
}
