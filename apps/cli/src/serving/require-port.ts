import { resolve } from 'node:path';
import { GroveError, isGroveError } from '@grove/core';
import { findOwner } from '@grove/server';
import { realPath } from '../real-path.ts';
import type { CommonOptions, Run } from '../run.ts';
import type { ServerSettings } from '../settings/settings.ts';
import { type KnownVault, knownVaults, meantVaults } from '../vaults/known-vaults.ts';
import { dataDirOf } from '../vaults/vault-of-run.ts';
import { requireFreePort } from './free-port.ts';
import { alreadyServed } from './take-over.ts';

/**
 * Looks whether the server can listen where it shall, before a vault is touched. A port that another Grove server of
 * this data folder holds is told of as that server.
 *
 * @returns the port; one that is free where any would do
 * @throws GroveError `vault_owned` when that one serves a vault that this start names; `port_taken`, `listen_failed`
 */
export async function requirePort(run: Run, options: CommonOptions, server: ServerSettings): Promise<number> {
  try {
    return await requireFreePort(server);
  } catch (error) {
    if (!isGroveError(error, 'port_taken')) throw error;
    const dataDir = dataDirOf(run, options);
    const [known, meant] = [await knownVaults(dataDir), await meantVaults(dataDir)];
    for (const vault of known) {
      const owner = await findOwner(vault.root, { dataDir, runtimeDir: run.settings.runtimeDir });
      if (owner?.kind !== 'server') continue;
      if (isMeant(run, options, vault, meant)) throw alreadyServed(owner.pid);
      if (owner.http !== null && Number(new URL(owner.http.url).port) === server.port)
        throw new GroveError('port_taken', error.data, {
          cause: error,
          hint: `The Grove server of ${vault.slug} (pid ${owner.pid}) listens there. Choose another port with --port or GROVE_PORT, or stop it and start one server for both: repeat --vault.`,
        });
    }
    throw error;
  }
}

/** Whether this start is about the known vault; nothing is made to find out. */
function isMeant(
  run: Run,
  { vault: flags }: CommonOptions,
  { slug, root }: KnownVault,
  meant: readonly KnownVault[],
): boolean {
  const names = flags.length > 0 ? flags : run.settings.vaults;
  if (names.length === 0) return meant.length === 1 && meant[0]?.slug === slug;
  return names.some((name) => name.toLowerCase() === slug || realPath(resolve(run.from, name)) === root);
}
