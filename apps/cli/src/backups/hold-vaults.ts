import { hostname } from 'node:os';
import { join } from 'node:path';
import { GroveError, isGroveError } from '@grove/core';
import { locateVault, ownVault } from '@grove/service';
import type { Ownership } from '@grove/vault';
import { type KnownVault, knownVaults } from '../vaults/known-vaults.ts';

/**
 * Takes all vaults of a data folder for this process, so that no other one has it open, or opens it.
 *
 * @returns what gives them free again
 * @throws GroveError `vault_owned`
 */
export async function holdVaults(dataDir: string): Promise<() => Promise<void>> {
  const held: Ownership[] = [];
  const release = async (): Promise<void> => {
    for (const ownership of held) await ownership.release();
  };
  try {
    for (const vault of await knownVaults(dataDir)) held.push(await holdVault(dataDir, vault));
  } catch (error) {
    await release();
    throw error;
  }
  return release;
}

/** The same for one vault, whose folder may be gone. */
export async function holdVault(dataDir: string, { slug, root }: KnownVault): Promise<Ownership> {
  const stateDir = join(dataDir, 'vaults', slug);
  const lockDir = (await lockDirOf(dataDir, root)) ?? stateDir;
  const owner = { host: hostname(), pid: process.pid, socketPath: null, kind: 'server' } as const;
  try {
    return await ownVault({ lockDir, stateDir }, owner);
  } catch (error) {
    if (!isGroveError(error, 'vault_owned')) throw error;
    const hint = `It has the vault ${slug} open, which must not be open here: stop it, then run this again.`;
    throw new GroveError('vault_owned', error.data, { hint, cause: error });
  }
}

/** Null where the folder of the vault is gone. */
async function lockDirOf(dataDir: string, root: string): Promise<string | null> {
  try {
    return (await locateVault({ dataDir, root })).lockDir;
  } catch (error) {
    if (isGroveError(error, 'vault_missing') || isGroveError(error, 'vault_not_a_folder')) return null;
    throw error;
  }
}
