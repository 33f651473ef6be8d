import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { GroveError, writeDurably } from '@grove/core';
import { RECORD_FILE, realRootOf, recordedRoot, recordOf } from './locate-state.ts';

/**
 * Ties a known vault to a folder: the one that it was moved or restored to.
 *
 * @returns the real path of the folder
 * @throws GroveError `vault_missing`, `vault_not_a_folder`; `restore_refused` when another vault has that folder
 * @example await tieVault('/data', 'garden', '/srv/garden')
 */
export async function tieVault(dataDir: string, slug: string, folder: string): Promise<string> {
  const root = await realRootOf(folder);
  const vaults = join(dataDir, 'vaults');
  for (const other of await readdir(vaults)) {
    if (other !== slug && (await recordedRoot(join(vaults, other))) === root)
      throw new GroveError(
        'restore_refused',
        { reason: `the folder is that of the vault ${other}` },
        { hint: 'Name another folder.' },
      );
  }
  await writeDurably(join(vaults, slug, RECORD_FILE), recordOf(root), 0o644);
  return root;
}
