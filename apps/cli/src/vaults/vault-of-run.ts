import { resolve } from 'node:path';
import { GroveError } from '@grove/core';
import type { Log, OccupancyOptions } from '@grove/server';
import type { VaultState } from '@grove/vault';
import { finishSwap } from '../backups/swap.ts';
import type { CommonOptions, Run } from '../run.ts';
import { chooseVault } from './choose-vault.ts';

/**
 * The data folder of this run: `--data`, else `GROVE_DATA`, else the system's place for it. A restore that was cut off
 * is finished first.
 */
export function dataDirOf(run: Run, options: CommonOptions): string {
  const dataDir = options.data === undefined ? run.settings.dataDir : resolve(run.from, options.data);
  finishSwap(dataDir);
  return dataDir;
}

/**
 * What `--vault`, `GROVE_VAULT` or the file with settings says.
 *
 * @throws GroveError `bad_input` when several flags name one, `vault_required` when the file names several
 */
export function namedVault(run: Run, { vault }: CommonOptions): string | null {
  if (vault.length > 1)
    throw new GroveError('bad_input', { reason: 'only "grove start" takes --vault more than once' });
  const [named, ...others] = vault.length > 0 ? vault : run.settings.vaults;
  if (others.length > 0) {
    const known = [named, ...others].join(', ');
    throw new GroveError('vault_required', { known }, { hint: `Name one with --vault: ${known}.` });
  }
  return named ?? null;
}

/** The vault that this run is about. Throws `vault_none` when none is named and none is known. */
export async function vaultOf(run: Run, options: CommonOptions): Promise<VaultState> {
  const vault = await chooseVault({
    named: namedVault(run, options),
    dataDir: dataDirOf(run, options),
    from: run.from,
  });
  if (vault !== null) return vault;
  throw new GroveError('vault_none');
}

/** How this run's process would serve the vault. */
export function occupancyOptions(
  run: Run,
  options: CommonOptions,
  vault: VaultState,
  kind: OccupancyOptions['kind'],
  log: Log,
): OccupancyOptions {
  const { settings } = run;
  return {
    root: vault.root,
    dataDir: dataDirOf(run, options),
    stateDir: vault.stateDir,
    runtimeDir: settings.runtimeDir,
    kind,
    rules: settings.rules,
    poll: settings.poll,
    publicUrl: settings.server.publicUrl,
    version: run.version,
    log,
  };
}
