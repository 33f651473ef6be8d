import { splitTarget, type Target } from './wikilink.ts';

// RFC 3986, section 3.1; a drive letter (`C:\notes`) is not in the vault either.
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/**
 * The target of a Markdown link's destination when it can lie in the vault, else null: destinations with a
 * scheme or a host name (`//host`) lead elsewhere, and an empty one leads nowhere. Backslash escapes and
 * entities are resolved already; percent escapes are decoded here.
 *
 * @example parseDestination('../My%20Note.md#Goals') // { target: '../My Note.md', heading: 'Goals', block: null }
 */
export function parseDestination(destination: string): Target | null {
  if (destination === '' || SCHEME.test(destination) || destination.startsWith('//')) return null;
  // The first `#` that is not percent-encoded starts the fragment: a file name holds `%23`.
  const hash = destination.indexOf('#');
  const path = decodePercent(hash < 0 ? destination : destination.slice(0, hash)).trim();
  const fragment = hash < 0 ? '' : decodePercent(destination.slice(hash));
  const { heading, block } = splitTarget(fragment);
  return path === '' && heading === null && block === null ? null : { target: path, heading, block };
}

/** Decodes percent escapes; text whose escapes are no UTF-8 (`100%`) is kept as it is written. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    if (cause instanceof URIError) return text;
    throw cause;
  }
}
