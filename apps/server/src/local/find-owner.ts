import type { OwnerFacts } from './greeting.ts';
import { askOwner } from './owner-client.ts';
import { type RunFolderOptions, socketsOf } from './run-folder.ts';

/**
 * Who owns a vault now, asked over the local socket: nothing is opened and no lock is tried. Only owners with the same
 * data folder are found.
 *
 * @param vaultRoot absolute path of the vault folder
 * @returns null when no owner answers
 * @throws OwnerError, `bad_input` when something else listens there
 * @example (await findOwner('/home/ann/Notes', { dataDir, runtimeDir: null }))?.http?.url // 'http://127.0.0.1:8420'
 */
export async function findOwner(vaultRoot: string, options: RunFolderOptions): Promise<OwnerFacts | null> {
  for (const address of socketsOf(vaultRoot, options)) {
    const owner = await askOwner(address);
    if (owner !== null) return owner;
  }
  return null;
}
