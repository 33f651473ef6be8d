import { fileURLToPath } from 'node:url';
import { systemClock } from '@grove/core';
import { installSampleVault } from '@grove/history';
import { locateState, type VaultState } from '@grove/vault';
import { sampleFolder } from '../vaults/known-vaults.ts';

const SAMPLE = fileURLToPath(new URL('../../sample-vault', import.meta.url));

/** The sample vault of a data folder, installed with its history when it is not there yet. */
export async function sampleVault(dataDir: string): Promise<VaultState> {
  const target = sampleFolder(dataDir);
  await installSampleVault({ from: SAMPLE, target, clock: systemClock });
  return await locateState(dataDir, target);
}
