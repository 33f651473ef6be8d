import { realpath } from 'node:fs/promises';
import { GroveError } from '@grove/core';
import { openOwnedVault } from './open-owned-vault.ts';
import type { OpenedVault, OpenOwnedVaultOptions } from './opened-vault.ts';

/** Vaults that are open in this process, each with its own search, history, state and owner's lock. */
export interface Workspace {
  /** In the order in which they were opened. */
  readonly vaults: readonly OpenedVault[];
  /**
   * The vault of a slug or folder; the only one when `reference` is null.
   *
   * @throws GroveError `vault_unknown`, `vault_required`
   */
  find(reference: string | null): OpenedVault;
  /** Opens one more. Opening a folder that is open already answers with the vault that stands. */
  open(options: OpenOwnedVaultOptions): Promise<OpenedVault>;
  close(): Promise<void>;
}

/**
 * Opens several vaults. When one of them cannot be opened, those that were are closed again.
 *
 * @throws GroveError `vault_missing`, `vault_not_a_folder`, `vault_owned`
 * @example const workspace = await openWorkspace([{ root: '/home/ann/Notes', dataDir, kind: 'server' }]);
 */
export async function openWorkspace(vaults: readonly OpenOwnedVaultOptions[]): Promise<Workspace> {
  const open = new Map<string, OpenedVault>();
  const opening = new Map<string, Promise<OpenedVault>>();
  const openOne = async (options: OpenOwnedVaultOptions): Promise<OpenedVault> => {
    const root = await realRoot(options.root);
    const known = opening.get(root);
    if (known !== undefined) return await known;
    const started = openOwnedVault({ ...options, root });
    opening.set(root, started);
    try {
      const vault = await started;
      open.set(root, vault);
      return vault;
    } catch (error) {
      opening.delete(root);
      throw error;
    }
  };
  const close = async (): Promise<void> => {
    const ended = await Promise.allSettled([...open.values()].map((vault) => vault.close()));
    open.clear();
    opening.clear();
    const failed = ended.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  };
  try {
    for (const options of vaults) await openOne(options);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    get vaults() {
      return [...open.values()];
    },
    find: (reference) => findVault(open, reference),
    open: openOne,
    close,
  };
}

function findVault(open: ReadonlyMap<string, OpenedVault>, reference: string | null): OpenedVault {
  const vaults = [...open.values()];
  const known = vaults.map(({ slug }) => slug).join(', ');
  if (reference === null) {
    const only = vaults[0];
    if (only === undefined)
      throw new GroveError('vault_unknown', { vault: '', known: known || 'none is open' });
    if (vaults.length > 1) throw new GroveError('vault_required', { known });
    return only;
  }
  const found = vaults.find(({ slug }) => slug === reference.toLowerCase()) ?? open.get(reference);
  if (found === undefined)
    throw new GroveError('vault_unknown', { vault: reference, known: known || 'none is open' });
  return found;
}

async function realRoot(root: string): Promise<string> {
  // A folder that is not there is told by openOwnedVault, with its own error.
  return await realpath(root).catch(() => root);
}
