import type { NoteRow, View } from '@grove/vault';
import { readIfThere } from './read.ts';

/**
 * Looks whether notes that search found are still what it knew. One that changed, vanished or left the View makes
 * the catalog take up the change.
 *
 * @returns the paths of those that are not, in the order given
 */
export async function findStale(view: View, rows: readonly NoteRow[]): Promise<readonly string[]> {
  const fresh = await Promise.all(rows.map((row) => isFresh(view, row)));
  return rows.filter((_, index) => !fresh[index]).map((row) => row.path);
}

async function isFresh(view: View, row: NoteRow): Promise<boolean> {
  const served = await readIfThere(view, row);
  return served !== null && served.row.contentHash === row.contentHash;
}
