import { isIP, isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';
import { GroveError } from '@grove/core';
import { hostOf } from './authority.ts';

// The addresses that a person gives a server, judged alike where they are read from settings and where they are used.

/**
 * A host that a person names, an address or a host name without a port, as {@link hostOf} spells it.
 *
 * @param setting what a person knows the value by, such as `--host`
 * @throws GroveError `bad_input`, which names the setting and what would do
 * @example parseHost('NAS.local', '--host') // 'nas.local'
 */
export function parseHost(text: string, setting: string): string {
  const host = hostOf(isIP(text) === 6 ? `[${text}]` : asciiOf(text));
  const hasPort = /^[^[\]]+:\d*$|\]:/.test(text);
  if (host !== null && (!hasPort || isIP(text) === 6)) return host;
  const meant = host ?? (URL.canParse(text) ? hostOf(new URL(text).host) : null);
  throw refusedAddress(setting, text, `it is no host name${meant === null ? '' : `; write "${meant}"`}`);
}

/**
 * Where others reach a server: the root of an origin, for the paths below it are Grove's own.
 *
 * @returns the origin, without a trailing slash
 * @throws GroveError `bad_input`, which names the setting; a password in the address is not repeated
 * @example parsePublicUrl('https://Notes.example.org:443/', 'GROVE_PUBLIC_URL') // 'https://notes.example.org'
 */
export function parsePublicUrl(text: string, setting: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || hostOf(url.host) === null)
    throw refused(setting, 'is no address such as https://notes.example.org');
  if (url.username !== '' || url.password !== '') throw refused(setting, 'holds a user name or a password');
  if (url.pathname !== '/' || /[?#]/.test(text))
    throw refused(
      setting,
      'has a path; Grove needs a host name of its own, such as https://notes.example.org',
    );
  return url.origin;
}

/** Names of networks that a proxy may be trusted in, as https://github.com/jshttp/proxy-addr has them. */
const NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * A proxy, or a network of proxies, whose word on where a request came from counts: an IP address, one with the length of
 * a network, or a network's name.
 *
 * @param setting what a person knows the value by
 * @throws GroveError `bad_input`, which names the setting
 * @example parseProxy('172.16.0.0/12', 'GROVE_TRUST_PROXY') // '172.16.0.0/12'
 */
export function parseProxy(text: string, setting: string): string {
  const word = text.toLowerCase();
  if (NETWORKS.includes(word)) return word;
  const [address = '', length, ...more] = text.split('/');
  const most = isIPv4(address) ? 32 : 128;
  const isLength = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= most);
  // A network of every address would let anybody say where a request comes from.
  if (isIP(address) !== 0 && isLength && length !== '0' && more.length === 0) return text;
  throw refusedAddress(
    setting,
    text,
    `it is no IP address such as 192.168.1.2, no network such as 172.16.0.0/12, and none of ${NETWORKS.join(', ')}`,
  );
}

/**
 * Whose an address is, for limits: an IPv4 address itself, of IPv6 the network of 64 bits that one line is given. As
 * `@fastify/rate-limit` counts by default.
 *
 * @example networkOf('2001:db8::1:2') // '2001:db8:0:0::/64'
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  const [front = [], back = []] = address
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const between = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  const groups = [...front, ...between, ...back].slice(0, 4).map((group) => parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}

/** An international name in the letters that the network has for it. */
export function asciiOf(host: string): string {
  return /^[\x21-\x7e]*$/.test(host) ? host : domainToASCII(host);
}

/** The error of an entry that is refused; `reason` goes after its colon. */
export function refusedAddress(setting: string, entry: string, reason: string): GroveError {
  return refused(setting, `has "${entry}": ${reason}`);
}

function refused(setting: string, what: string): GroveError {
  return new GroveError('bad_input', { name: setting, reason: `${setting} ${what}` });
}
