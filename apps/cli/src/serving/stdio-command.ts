import type { StdioCommand } from '@grove/server/clients';
import type { VaultState } from '@grove/vault';
import type { CommonOptions, Run } from '../run.ts';
import { dataDirOf } from '../vaults/vault-of-run.ts';

/** How a client starts Grove for this vault: with the same data folder and the same limits. */
export function stdioCommand(
  run: Run,
  options: CommonOptions,
  { root }: Pick<VaultState, 'root'>,
): StdioCommand {
  const dataDir = dataDirOf(run, options);
  const args = ['stdio', '--vault', root];
  if (dataDir !== run.settings.defaultDataDir) args.push('--data', dataDir);
  return { command: run.command, args, env: run.settings.limits };
}
