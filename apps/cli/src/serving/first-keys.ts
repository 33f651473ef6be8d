import type { Keys } from '@grove/access';
import { GroveError } from '@grove/core';

/** The name of the key that the first start makes. */
const FIRST = 'first';

/**
 * A server that other machines reach must have a key that opens it. A vault that never had one gets its first from the
 * start itself.
 *
 * @throws GroveError `key_none` when keys were made and none of them is live
 */
export function requireLiveKeys(keys: Keys, vaults: readonly { readonly slug: string }[]): void {
  for (const { slug } of vaults) {
    const known = keys.list({ vault: slug });
    if (known.length > 0 && !known.some(({ state }) => state === 'live'))
      throw new GroveError('key_none', { vault: slug });
  }
}

/** Makes the first key of each vault that never had one; tokens by slug. */
export function makeFirstKeys(
  keys: Keys,
  vaults: readonly { readonly slug: string }[],
): ReadonlyMap<string, string> {
  const made = new Map<string, string>();
  for (const { slug } of vaults)
    if (keys.list({ vault: slug }).length === 0)
      made.set(slug, keys.create({ name: FIRST, vault: slug, scopes: ['read', 'append', 'write'] }).token);
  return made;
}
