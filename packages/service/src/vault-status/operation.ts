import { GroveError } from '@grove/core';
import type { z } from 'zod';
import type { Scope } from '../contract.ts';
import { defineOperation } from '../operation/define.ts';
import {
  type HealthAnswer,
  type StatusAnswer,
  type VaultStatusInput,
  vaultStatusOutput,
  vaultStatusParameters,
} from './contract.ts';
import { fileStatus } from './file-status.ts';
import { collectHealth } from './health.ts';
import { listHistory } from './history.ts';
import { presentHealth } from './present.ts';
import { presentHistory } from './present-history.ts';

/** The state of the vault and its index, and of one file when it is named; or the commits that changed its notes. */
export const vaultStatus = defineOperation({
  name: 'vault_status',
  title: 'Vault status',
  description:
    'What the vault holds, whether the index is up to date, what is skipped and why; or its history.',
  parameters: vaultStatusParameters,
  output: vaultStatusOutput as typeof vaultStatusOutput & z.ZodType<StatusAnswer>,
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
    commits: true,
    cursor: true,
  }),
  check: refuseOfHistory,
  run: runVaultStatus,
  present: (answer) => (answer.mode === 'health' ? presentHealth(answer) : presentHistory(answer)),
});

/**
 * The answer of a call with mode health.
 *
 * @throws TypeError for the answer of another mode
 */
export function healthOf(answer: StatusAnswer): HealthAnswer {
  if (answer.mode !== 'health') throw new TypeError(`an answer of mode ${answer.mode}`);
  return answer;
}

/** What would be passed over in silence is refused. */
function refuseOfHistory(input: VaultStatusInput): void {
  if (input.mode === 'history') return;
  const { since, by, diff, limit, cursor } = input;
  const [name] = Object.entries({ since, by, diff: diff || null, limit, cursor }).find(
    ([, value]) => value !== null,
  ) ?? [null];
  if (name === null) return;
  throw new GroveError('bad_input', { name, reason: `"${name}" is for mode history` });
}

async function runVaultStatus(scope: Scope, input: VaultStatusInput): Promise<StatusAnswer> {
  if (input.mode === 'history') return await listHistory(scope, input);
  const { path } = input;
  const health = await collectHealth(scope);
  return path === null ? health : { ...health, file: await fileStatus(scope, path) };
}
