import { resolve } from 'node:path';
import { GroveError } from '@grove/core';
import type { Log, OccupancyOptions } from '@grove/server';
import type { VaultState } from '@grove/vault';
import type { CommonOptions, Run } from '../run.ts';
import { chooseVault } from './choose-vault.ts';

/** The data folder of this run: `--data`, else `GROVE_DATA`, else the system's place for it. */
export function dataDirOf(run: Run, options: CommonOptions): string {
  return options.data === undefined ? run.settings.dataDir : resolve(run.from, options.data);
}

/** What `--vault` or `GROVE_VAULT` says. Throws `bad_input` when several are named where one is meant. */
export function namedVault(run: Run, { vault }: CommonOptions): string | null {
  const [named, ...others] = vault;
  if (others.length > 0)
    throw new GroveError('bad_input', { reason: 'only "grove start" takes --vault more than once' });
  return named ?? run.settings.vault;
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
