/** Host and optional port (RFC 9110 section 7.2); nothing that a URL would decode, and no user before it. */
const AUTHORITY = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,254})(?::\d{0,5})?$/i;

/**
 * The host that an authority (`host[:port]`) names, in the one spelling that is compared: lower case, without a
 * port and the dot of a full name; addresses as a URL has them (`[::1]`, and `127.0.0.1` for `0x7f.1`).
 *
 * @returns null for what is no authority
 * @example hostOf('NAS.local.:8420') // 'nas.local'
 */
export function hostOf(authority: string): string | null {
  if (!AUTHORITY.test(authority)) return null;
  const host = URL.parse(`http://${authority}`)?.hostname.replace(/\.$/, '') ?? '';
  return host === '' ? null : host;
}

/** `http://host/path` as proxies are asked (RFC 9112 section 3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * A request target as a path with its query, and the authority that stood before it in an absolute one.
 *
 * @example splitTarget('http://nas.local:8420/docs') // { authority: 'nas.local:8420', path: '/docs' }
 */
export function splitTarget(target: string): { readonly authority: string | null; readonly path: string } {
  const [, authority, rest] = ABSOLUTE.exec(target) ?? [];
  if (authority === undefined || rest === undefined) return { authority: null, path: target };
  return { authority, path: rest.startsWith('/') ? rest : `/${rest}` };
}
