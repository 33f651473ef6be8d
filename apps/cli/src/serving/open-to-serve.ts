import { type CallProgress, compileRules, createLog, type HttpAddress, type Occupancy } from '@grove/server';
import type { GitInsideWish } from '@grove/service';
import type { VaultState } from '@grove/vault';
import type { CommonOptions, Run } from '../run.ts';
import { occupancyOptions } from '../vaults/vault-of-run.ts';
import { takeOver } from './take-over.ts';

/** What the start has to say of how a vault is served. */
export interface ServingNotes {
  readonly publicUrl: string | null;
  /** Where HTTP is served now; null before and after. */
  readonly http: () => HttpAddress | null;
  /** Hears how far the index is until that is ready. */
  readonly show: (progress: CallProgress) => void;
  /** Null where the folder is not to get a `.git` of its own. */
  readonly gitInside: GitInsideWish | null;
}

/** Owns a vault as the server. */
export async function openToServe(
  run: Run,
  options: CommonOptions,
  vault: VaultState,
  { publicUrl, http, show, gitInside }: ServingNotes,
): Promise<Occupancy> {
  const base = occupancyOptions(run, options, vault, 'server', createLog(run.settings.logLevel));
  return await takeOver(
    {
      ...base,
      publicUrl,
      http,
      ...(gitInside === null ? {} : { gitInside }),
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
