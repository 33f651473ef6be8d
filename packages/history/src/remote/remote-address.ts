import { GroveError } from '@grove/core';

const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The address of a remote that Grove talks to: `https://`, or `http://` of this machine itself.
 *
 * @throws `remote_address_refused` for every other one; it names the https address that takes the place of one of ssh
 * @example parseRemoteAddress('https://github.com/ada/notes.git').host // 'github.com'
 */
export function parseRemoteAddress(text: string): URL {
  const ssh = httpsOfShell(text);
  if (ssh !== null) throw refused(`Grove does not speak ssh; the same repository is at ${ssh}`);
  // A secret may hold what begins a path: nothing before an @ is taken apart. A path spells it %40.
  if (text.includes('@'))
    throw refused(
      'it holds a name or a token before an "@", which would lie readable in the configuration of git',
    );
  if (!SCHEME.test(text) || !URL.canParse(text))
    throw refused('it is no address of the kind https://host/path');
  const url = new URL(text);
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw refused('over http:// everybody on the way could read the notes and the token');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refused(`it begins with ${url.protocol}//, and Grove speaks https:// alone`);
  if (url.search !== '' || url.hash !== '') throw refused('it holds a "?" or a "#"');
  return url;
}

/** Whatever somebody wrote for an address, as it may be shown: without all that may be a name or a secret. */
export function shownAddress(text: string): string {
  const [scheme = ''] = SCHEME.exec(text) ?? [];
  return scheme + text.slice(Math.max(scheme.length, text.lastIndexOf('@') + 1)).replace(/[?#].*$/s, '');
}

/** The https address of a repository that one of ssh names; null for other addresses. */
function httpsOfShell(text: string): string | null {
  const [scheme = ''] = SCHEME.exec(text) ?? [];
  const isShell = scheme === '' ? text.includes('@') : /^ssh:/i.test(scheme);
  const bare = shownAddress(text).slice(scheme.length);
  const [, host, path] = /^([^:/\s]+)(?::\d+(?=\/))?[:/]+(\S+)$/.exec(isShell ? bare : '') ?? [];
  return host === undefined ? null : `https://${host}/${path}`;
}

/** True when a server at `from` may send its clients on to `to`: never to a place that others can listen to. */
export function mayRedirect(from: URL, to: URL): boolean {
  if (to.protocol === 'https:') return true;
  return to.protocol === 'http:' && from.protocol === 'http:' && LOOPBACK.test(to.hostname);
}

/**
 * The header that signs in with a token: HTTP Basic, whose name is the one that the kind of server asks for (most take
 * any).
 */
export function signIn(host: string, token: string): string {
  const pair = token.includes(':') ? token : `${nameFor(host)}:${token}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function nameFor(host: string): string {
  if (/(?:^|\.)bitbucket\.org$/.test(host)) return 'x-token-auth';
  return /gitlab/.test(host) ? 'oauth2' : 'x-access-token';
}

function refused(reason: string): GroveError {
  return new GroveError('remote_address_refused', { reason });
}
