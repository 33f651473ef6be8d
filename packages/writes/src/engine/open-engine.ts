import { diskWriteFs } from '@grove/core';
import { openGitStore, openGitWriter, releaseOwnLock } from '@grove/history';
import { openLedger } from '../ledger/open-ledger.ts';
import { readTrailerKey } from '../ledger/trailer-key.ts';
import { WriteQueue } from '../queue/write-queue.ts';
import { restoreSources } from '../recovery/restore-sources.ts';
import type { OpenEngineOptions, WriteEngine } from './contract.ts';
import { FileWriter } from './files/file-writer.ts';
import { WorkFolder } from './files/work-folder.ts';
import { PlaceGuard } from './identity.ts';
import type { EngineParts } from './parts.ts';
import type { StepListener } from './steps.ts';
import { VaultEngine } from './write-engine.ts';

/** Writes that may wait at the same time. */
const QUEUE_LIMIT = 256;

/** For tests: what is called between the steps of a write, and how many writes may wait. */
export interface EngineSeams {
  readonly step?: StepListener;
  readonly queueLimit?: number;
}

/**
 * Opens the engine of one vault. Recovery runs to its end before this resolves: open it before the first scan, and
 * only in the process that owns the vault.
 *
 * @throws GroveError `ledger_unavailable`, `repository_unreadable`, `repository_unwritable`, `vault_degraded`,
 * `disk_unwritable`
 * @example
 * const engine = await openWriteEngine({ root, stateDir, location, clock: systemClock, published: vault.reconcile });
 * const { commit } = await engine.apply({ paths: [path], plan, author, idempotency: null });
 */
export async function openWriteEngine(
  options: OpenEngineOptions,
  seams: EngineSeams = {},
): Promise<WriteEngine> {
  const { root, stateDir, location, clock, fs = diskWriteFs, published } = options;
  const guard = new PlaceGuard(root, location);
  const report = options.onProblem ?? (() => {});
  const { ledger, anew } = openLedger(stateDir, clock.now());
  // Whoever else reads with it goes on when the engine closes it: that drops what it kept, and no more.
  const store = options.store ?? (await openGitStore(location));
  try {
    if (anew === 'damaged')
      report({
        what: 'ledger',
        path: null,
        message: 'The ledger was damaged and is made anew; the old one is kept beside it.',
        cause: null,
      });
    const { key, known } = readTrailerKey(stateDir);
    const user = options.userSettings === undefined ? {} : { user: options.userSettings };
    const git = await openGitWriter(location, { clock, fs, store, ...user });
    const parts: EngineParts = {
      root,
      location,
      git,
      store,
      ledger,
      files: new FileWriter(root, fs, clock),
      work: new WorkFolder(root, location, fs),
      fs,
      clock,
      trailerKey: key,
      published,
      report,
      step: seams.step ?? (() => {}),
    };
    await releaseOwnLock(location, fs);
    const engine = new VaultEngine(parts, new WriteQueue(seams.queueLimit ?? QUEUE_LIMIT), guard);
    await engine.recover();
    if (anew !== null && known) await restoreSources(parts);
    return engine;
  } catch (error) {
    ledger.close();
    await store.close();
    throw error;
  }
}
