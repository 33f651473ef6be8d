import { acquireOwnership, type Ownership, type OwnershipRequest } from '@grove/vault';
import type { VaultLocation } from './locate-vault.ts';

/**
 * Takes a vault for this process: by its lock, and by one in its state folder where the lock lies elsewhere. The second one
 * tells of an owner when the folder of notes is away, and the lock with it.
 *
 * @throws GroveError `vault_owned`
 */
export async function ownVault(
  { lockDir, stateDir }: Pick<VaultLocation, 'lockDir' | 'stateDir'>,
  owner: Omit<OwnershipRequest, 'lockDir'>,
): Promise<Ownership> {
  const ownership = await acquireOwnership({ lockDir, ...owner });
  if (lockDir === stateDir) return ownership;
  try {
    const second = await acquireOwnership({ lockDir: stateDir, ...owner });
    return {
      owner: ownership.owner,
      release: async () => {
        // Whoever takes the first one next finds the second one free.
        await second.release();
        await ownership.release();
      },
    };
  } catch (error) {
    await ownership.release();
    throw error;
  }
}
