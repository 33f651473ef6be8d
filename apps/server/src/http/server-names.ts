import { isIP } from 'node:net';
import { asciiOf, parseHost, parsePublicUrl, refusedAddress } from './addresses.ts';
import { hostOf } from './authority.ts';
import type { ServerNames } from './options.ts';

/** What the server answers to, parsed: hosts as {@link hostOf} spells them, origins as browsers send them. */
export interface OwnNames {
  readonly hosts: ReadonlySet<string>;
  /** Ends of host names before which one label stands: `.tailnet.ts.net`. */
  readonly families: readonly string[];
  readonly origins: ReadonlySet<string>;
  /** True when other machines reach the server: then it goes by every address that it is asked by. */
  readonly anyAddress: boolean;
}

/** What a person knows the setting by. */
const ALLOWED_HOSTS = '--allowed-hosts or GROVE_ALLOWED_HOSTS';
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Top-level names that nobody can register (RFC 6762; reserved by ICANN in 2024). */
const PRIVATE_TOPS = new Set(['local', 'internal']);
/** `scheme://host[:port]` (RFC 6454 section 6.2). */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._~\-[\]:]+$/i;

/**
 * Parses the names that a server was given.
 *
 * @throws GroveError `bad_input`, which names the setting and the entry
 * @example parseServerNames({ host: '0.0.0.0', allowedHosts: ['nas.local', '*.tailnet.ts.net'], allowedOrigins: [] }, null)
 */
export function parseServerNames(names: ServerNames, publicUrl: string | null): OwnNames {
  const own = parseHost(names.host, '--host or GROVE_HOST');
  const hosts = new Set(LOOPBACK);
  // "Every address of this machine" is the name of none.
  if (own !== '0.0.0.0' && own !== '[::]') hosts.add(own);
  if (publicUrl !== null) hosts.add(publicHost(publicUrl));
  const families: string[] = [];
  for (const entry of names.allowedHosts) {
    if (entry.includes('*')) families.push(parseFamily(entry));
    else hosts.add(parseHost(entry, ALLOWED_HOSTS));
  }
  return {
    hosts,
    families,
    origins: new Set(names.allowedOrigins.map(parseOrigin)),
    anyAddress: !isLoopback(own),
  };
}

/** True for this machine's own names of {@link hostOf}'s spelling: `localhost`, `127.0.0.0/8`, `[::1]`. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host) || (isIP(host) === 4 && host.startsWith('127.'));
}

function parseFamily(entry: string): string {
  const setting = ALLOWED_HOSTS;
  const rest = entry.startsWith('*.') ? hostOf(asciiOf(entry.slice(2))) : null;
  if (rest === null || rest.includes('*') || entry.includes(':') || isIP(rest) !== 0)
    throw refusedAddress(setting, entry, 'a star stands only for the first label, as in "*.tailnet.ts.net"');
  if (!rest.includes('.') && !PRIVATE_TOPS.has(rest))
    throw refusedAddress(setting, entry, 'that would allow names of everybody; name the domain too');
  return `.${rest}`;
}

function parseOrigin(entry: string): string {
  const origin = originOf(entry.replace(/\/$/, ''));
  if (origin !== null) return origin;
  throw refusedAddress(
    '--allowed-origins or GROVE_ALLOWED_ORIGINS',
    entry,
    'write the scheme and the host, as in "https://app.example"',
  );
}

/**
 * An Origin header in the spelling that is compared: lower case, without the port that its scheme has anyway; `null`
 * is what a page without an origin sends.
 *
 * @returns null for what is no origin
 * @example originOf('HTTPS://App.example:443') // 'https://app.example'
 */
export function originOf(text: string): string | null {
  if (text === 'null') return text;
  if (!ORIGIN.test(text) || !URL.canParse(text)) return null;
  // A scheme that URL knows no origins of, such as an extension's.
  const { origin } = new URL(text);
  return origin === 'null' ? text.toLowerCase() : origin;
}

function publicHost(url: string): string {
  const setting = '--public-url or GROVE_PUBLIC_URL';
  return parseHost(new URL(parsePublicUrl(url, setting)).hostname, setting);
}
