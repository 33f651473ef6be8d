import { type CallProgress, compileRules, createLog, type Occupancy } from '@grove/server';
import type { VaultState } from '@grove/vault';
import type { CommonOptions, Run } from '../run.ts';
import { occupancyOptions } from '../vaults/vault-of-run.ts';
import { takeOver } from './take-over.ts';

/** Owns a vault as the server; `show` hears how far its index is until that is ready. */
export async function openToServe(
  run: Run,
  options: CommonOptions,
  vault: VaultState,
  show: (progress: CallProgress) => void,
): Promise<Occupancy> {
  const base = occupancyOptions(run, options, vault, 'server', createLog(run.settings.logLevel));
  return await takeOver(
    {
      ...base,
      // Whoever comes through the server is held by its limits, whatever their own are.
      policy: compileRules(run.settings.rules),
      onOpened: (opened) => {
        const stop = opened.onProgress((progress) => {
          // History is read in the background; nobody waits for it.
          if (progress.phase !== 'history') show(progress);
        });
        opened.ready.then(stop, stop);
      },
    },
    run.stop,
  );
}
