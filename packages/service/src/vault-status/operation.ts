import type { Scope } from '../contract.ts';
import { defineOperation } from '../operation/define.ts';
import {
  type HealthAnswer,
  type VaultStatusInput,
  vaultStatusOutput,
  vaultStatusParameters,
} from './contract.ts';
import { fileStatus } from './file-status.ts';
import { collectHealth } from './health.ts';
import { presentHealth } from './present.ts';

/** The state of the vault and its index, and of one file when it is named. */
export const vaultStatus = defineOperation({
  name: 'vault_status',
  title: 'Vault status',
  description: 'What the vault holds, whether the index is up to date, what is skipped and why.',
  parameters: vaultStatusParameters,
  output: vaultStatusOutput,
  advertised: vaultStatusOutput.pick({
    mode: true,
    vault: true,
    state: true,
    problem: true,
    zone: true,
    now: true,
    notes: true,
    index: true,
    history: true,
    writes: true,
    skipped: true,
    file: true,
    remarks: true,
  }),
  run: runVaultStatus,
  present: presentHealth,
});

async function runVaultStatus(scope: Scope, { path }: VaultStatusInput): Promise<HealthAnswer> {
  const health = collectHealth(scope);
  return path === null ? health : { ...health, file: await fileStatus(scope, path) };
}
