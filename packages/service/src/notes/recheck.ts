import { isGroveError } from '@grove/core';
import type { NoteRow } from '@grove/vault';
import type { Scope } from '../contract.ts';
import { readIfThere } from './read.ts';

/**
 * Looks whether notes that search found, or a list names, are still what it knew: by a stat, and where that differs by reading the note,
 * which makes the catalog take up what is new. While the vault folder is away, what was known of it stands.
 *
 * @param known the vault's change sequence before the search: a row written later is news to it
 * @returns the paths of those that are not, in the order given
 */
export async function findStale(
  scope: Scope,
  rows: readonly NoteRow[],
  known: number,
): Promise<readonly string[]> {
  const fresh = await Promise.all(rows.map((row) => row.sequence <= known && isFresh(scope, row)));
  return rows.filter((_, index) => !fresh[index]).map((row) => row.path);
}

async function isFresh({ view, isUnchanged }: Scope, row: NoteRow): Promise<boolean> {
  if (await isUnchanged(row)) return true;
  try {
    const served = await readIfThere(view, row);
    return served !== null && served.row.contentHash === row.contentHash;
  } catch (error) {
    if (isGroveError(error, 'vault_degraded')) return true;
    throw error;
  }
}
