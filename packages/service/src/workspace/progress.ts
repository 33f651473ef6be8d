import type { VaultSearch } from '@grove/search';
import type { Vault } from '@grove/vault';
import type { OpenProgress } from './opened-vault.ts';

const INDEX_INTERVAL_MS = 200;

/** Progress of one vault, gathered from its parts. */
export interface ProgressFeed {
  onProgress(listener: (progress: OpenProgress) => void): () => void;
  report(progress: OpenProgress): void;
  /** Follows the index until `until` resolves. */
  followIndex(until: Promise<void>): void;
  close(): void;
}

/** Gathers progress from vault and search. A listener that joins late hears the last of each phase at once. */
export function openProgressFeed(vault: Vault, search: VaultSearch): ProgressFeed {
  const listeners = new Set<(progress: OpenProgress) => void>();
  const last = new Map<OpenProgress['phase'], OpenProgress>();
  let timer: NodeJS.Timeout | null = null;
  let followed = 0;
  const report = (progress: OpenProgress): void => {
    last.set(progress.phase, progress);
    for (const listener of listeners) listener(progress);
  };
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const reportIndex = (finished: boolean): void => {
    const { documents, renewed } = search.health();
    report({ phase: 'index', done: renewed ?? documents, total: vault.ownerView().size, finished });
  };
  const unsubscribe = vault.onProgress(({ phase, done, total }) =>
    report({ phase: 'notes', done, total, finished: phase === 'done' }),
  );
  return {
    onProgress(listener) {
      listeners.add(listener);
      for (const progress of last.values()) listener(progress);
      return () => {
        listeners.delete(listener);
      };
    },
    report,
    followIndex(until) {
      stop();
      followed += 1;
      const mine = followed;
      timer = setInterval(() => reportIndex(false), INDEX_INTERVAL_MS);
      timer.unref();
      const end = (): void => {
        if (mine !== followed) return;
        stop();
        reportIndex(true);
      };
      // Whoever awaits `until` hears of its failure; here it only ends the bar.
      until.then(end, end);
    },
    close() {
      followed += 1;
      stop();
      unsubscribe();
      listeners.clear();
    },
  };
}
