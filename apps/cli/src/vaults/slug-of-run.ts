import { GroveError } from '@grove/core';
import type { CommonOptions, Run } from '../run.ts';
import { knownVaults, meantVaults } from './known-vaults.ts';
import { dataDirOf, namedVault, vaultOf } from './vault-of-run.ts';

/**
 * The slug of the vault that this run is about. A known vault is found by its slug also while its folder is away: its
 * keys can be revoked then.
 *
 * @throws GroveError as {@link vaultOf}: `vault_missing`, `vault_required` when several are known, `vault_none`
 */
export async function slugOfRun(run: Run, options: CommonOptions): Promise<string> {
  const dataDir = dataDirOf(run, options);
  const named = namedVault(run, options);
  if (named === null) {
    const [only, ...others] = await meantVaults(dataDir);
    if (only === undefined) throw new GroveError('vault_none');
    if (others.length === 0) return only.slug;
  } else {
    const bySlug = (await knownVaults(dataDir)).find(({ slug }) => slug === named.toLowerCase());
    // A folder of that name in the current folder would be another vault; a path always is one.
    if (bySlug !== undefined && !/[/\\]/.test(named)) return bySlug.slug;
  }
  return (await vaultOf(run, options)).slug;
}
