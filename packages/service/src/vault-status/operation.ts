import type { z } from 'zod';
import type { Scope } from '../contract.ts';
import { defineOperation } from '../operation/define.ts';
import { checkMode } from './check-mode.ts';
import {
  type HealthAnswer,
  type StatusAnswer,
  type VaultStatusInput,
  vaultStatusOutput,
  vaultStatusParameters,
} from './contract.ts';
import { tellDiagnostics } from './diagnostics/operation.ts';
import { presentDiagnostics } from './diagnostics/present.ts';
import { tellDigest } from './digest/operation.ts';
import { presentDigest } from './digest/present.ts';
import { fileStatus } from './file-status.ts';
import { tellGraph } from './graph/operation.ts';
import { presentGraph } from './graph/present.ts';
import { collectHealth } from './health.ts';
import { listHistory } from './history.ts';
import { presentHealth } from './present.ts';
import { presentHistory } from './present-history.ts';

/**
 * The state of the vault and its index, and of one file when it is named; or the commits that changed its notes; or its
 * notes and their links as a graph; or how far its notes have come; or what is wrong with
 * them, and the call that mends it.
 */
export const vaultStatus = defineOperation({
  name: 'vault_status',
  title: 'Vault status',
  description:
    'What the vault holds, what is indexed or skipped and why; or by mode its history, links, stages, faults.',
  parameters: vaultStatusParameters,
  output: vaultStatusOutput as typeof vaultStatusOutput & z.ZodType<StatusAnswer>,
  advertised: vaultStatusOutput.pick({
    mode: true,
    vault: true,
    remarks: true,
    cursor: true,
  }),
  check: checkMode,
  run: runVaultStatus,
  present: presentStatus,
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

async function runVaultStatus(scope: Scope, input: VaultStatusInput): Promise<StatusAnswer> {
  if (input.mode === 'history') return await listHistory(scope, input);
  if (input.mode !== 'health') return await tellOfLinks(scope, input);
  const { path } = input;
  const health = await collectHealth(scope);
  return path === null ? health : { ...health, file: await fileStatus(scope, path) };
}

async function tellOfLinks(scope: Scope, input: VaultStatusInput): Promise<StatusAnswer> {
  await scope.view.linksKnown();
  if (input.mode === 'graph') return await tellGraph(scope, input);
  if (input.mode === 'digest') return tellDigest(scope, input);
  return await tellDiagnostics(scope, input);
}

function presentStatus(answer: StatusAnswer): string {
  switch (answer.mode) {
    case 'health':
      return presentHealth(answer);
    case 'history':
      return presentHistory(answer);
    case 'graph':
      return presentGraph(answer);
    case 'digest':
      return presentDigest(answer);
    case 'diagnostics':
      return presentDiagnostics(answer);
  }
}
