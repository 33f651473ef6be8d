import type { Audit } from '@grove/access';
import { type CallProgress, compileRules, type HttpAddress, type Occupancy } from '@grove/server';
import type { GitInsideWish, SyncWish } from '@grove/service';
import type { VaultState } from '@grove/vault';
import { logEmbedding } from '../embedding/log-embedding.ts';
import type { ProcessEmbedding } from '../embedding/process-embedding.ts';
import type { CommonOptions, Run } from '../run.ts';
import { servingLog } from '../terminal/run-log.ts';
import { occupancyOptions } from '../vaults/vault-of-run.ts';
import { takeOver } from './take-over.ts';

/** What the start has to say of how a vault is served. */
export interface ServingNotes {
  readonly publicUrl: string | null;
  /** Where HTTP is served now; null before and after. */
  readonly http: () => HttpAddress | null;
  /** Where the calls of other processes are written down. */
  readonly audit: Audit;
  /** Turns the notes of all vaults of this process into vectors. */
  readonly embedding: ProcessEmbedding;
  /** Hears how far the index is until that is ready, and on a stream without a prompt how far the notes are embedded. */
  readonly show: (progress: CallProgress) => void;
  /** Null where the folder is not to get a `.git` of its own. */
  readonly gitInside: GitInsideWish | null;
  readonly sync: SyncWish;
}

/** Owns a vault as the server. */
export async function openToServe(
  run: Run,
  options: CommonOptions,
  vault: VaultState,
  { publicUrl, http, audit, embedding, show, gitInside, sync }: ServingNotes,
): Promise<Occupancy> {
  const log = servingLog(run);
  const base = occupancyOptions(run, options, vault, 'server', log);
  return await takeOver(
    {
      ...base,
      publicUrl,
      http,
      audit,
      embedding: embedding.open,
      sync,
      ...(gitInside === null ? {} : { gitInside }),
      // Whoever comes through the server is held by its limits, whatever their own are.
      policy: compileRules(run.settings.rules),
      onOpened: (opened) => {
        const stop = opened.onProgress((progress) => {
          // History is read, and notes are embedded, in the background; nobody waits for it.
          if (progress.phase === 'notes' || progress.phase === 'index') show(progress);
        });
        opened.ready.then(stop, stop);
        if (!run.stderr.isTTY)
          opened.onProgress((progress) => {
            if (progress.phase === 'embedding') show(progress);
          });
        logEmbedding(opened, log);
      },
    },
    run.stop,
  );
}
