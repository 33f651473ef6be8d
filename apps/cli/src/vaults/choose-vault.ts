import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorCode, GroveError } from '@grove/core';
import { locateState, type VaultState } from '@grove/vault';
import { type KnownVault, knownVaults, meantVaults } from './known-vaults.ts';

export interface VaultChoice {
  /** What `--vault` or `GROVE_VAULT` says: a folder or the slug of a known vault; null when neither does. */
  readonly named: string | null;
  readonly dataDir: string;
  /** The folder that a relative name starts from. */
  readonly from: string;
}

/**
 * The vault that a command is about: the named folder, else the known vault of that slug, else the only vault known beside the
 * sample, else the sample.
 *
 * @returns null when none is named and none is known
 * @throws `vault_missing` with the place that was looked at, `vault_required` when several are known
 */
export async function chooseVault({ named, dataDir, from }: VaultChoice): Promise<VaultState | null> {
  if (named !== null) {
    const known = await knownVaults(dataDir);
    const folder = resolve(from, named);
    const bySlug = known.find(({ slug }) => slug === named.toLowerCase());
    if (bySlug !== undefined && !(await exists(folder))) return await locate(dataDir, bySlug.root);
    return await locate(dataDir, folder, known);
  }
  const meant = await meantVaults(dataDir);
  const [only, ...others] = meant;
  if (only === undefined) return null;
  if (others.length > 0) {
    const known = meant.map(({ slug }) => slug).join(', ');
    throw new GroveError('vault_required', { known }, { hint: `Name one with --vault: ${known}.` });
  }
  return await locate(dataDir, only.root);
}

async function locate(
  dataDir: string,
  folder: string,
  known: readonly KnownVault[] = [],
): Promise<VaultState> {
  try {
    return await locateState(dataDir, folder);
  } catch (error) {
    if (!(error instanceof GroveError)) throw error;
    if (error.code !== 'vault_missing' && error.code !== 'vault_not_a_folder') throw error;
    // The owner at the terminal may hear which folder; answers to clients never name it.
    throw new GroveError(error.code, error.data, {
      cause: error,
      hint: `Looked for ${folder}. ${error.hint}${knownNames(known)}`,
    });
  }
}

function knownNames(known: readonly KnownVault[]): string {
  return known.length === 0 ? '' : ` Known vaults: ${known.map(({ slug }) => slug).join(', ')}.`;
}

async function exists(folder: string): Promise<boolean> {
  try {
    await stat(join(folder));
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    return code !== 'ENAMETOOLONG' && code !== 'ERR_INVALID_ARG_VALUE';
  }
}
