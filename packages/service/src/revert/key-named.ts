import { foldCase, GroveError } from '@grove/core';
import type { VaultPast } from '../contract.ts';

/**
 * The principal that `named` means, as `kind:id`: a name is looked up in the signed commits since then, a bare id is
 * that of a key.
 *
 * @throws GroveError `bad_input` for a name that several carry
 */
export async function keyNamed(
  { history, trusted }: VaultPast,
  named: string,
  since: number,
): Promise<string> {
  const wanted = foldCase(named.trim());
  if (/^(?:owner|stdio|key|grant|trail):/.test(named.trim())) return named.trim();
  const keys = new Set<string>();
  for await (const entry of history.walk({ path: null, since, mostChanges: 0 })) {
    if (foldCase(entry.author) !== wanted || !entry.email.endsWith('@grove.invalid')) continue;
    const key = trusted(await history.store.readCommit(entry.commit))?.key ?? null;
    if (key !== null) keys.add(key);
  }
  const [only, ...others] = keys;
  if (only === undefined) return `key:${named.trim()}`;
  if (others.length === 0) return only;
  const list = [...keys].slice(0, 10).join(', ');
  throw new GroveError('bad_input', { name: 'key', reason: `several have that name; send one of: ${list}` });
}
