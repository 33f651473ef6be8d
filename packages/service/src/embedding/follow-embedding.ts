import type { VaultSearch } from '@grove/search';
import type { Vault } from '@grove/vault';
import type { ProgressFeed } from '../workspace/progress.ts';

const INTERVAL_MS = 500;

/**
 * Tells how far the notes are embedded, from when the vault is ready until all are: what changes later is a matter of a
 * moment.
 *
 * @param whole called once, when every note that can be is embedded
 * @returns ends it
 */
export function followEmbedding(
  { vault, search, progress }: { vault: Vault; search: VaultSearch; progress: ProgressFeed },
  whole: () => void,
): () => void {
  const timer = setInterval(() => {
    const counts = search.embeddedOf(vault.ownerView());
    const health = search.health().meaning;
    if (counts === null || health === null || health.store === null) return;
    const { total, done, failed } = counts;
    const finished = done + failed === total && health.problem === null;
    progress.report({ phase: 'embedding', done, total, finished });
    if (!finished) return;
    clearInterval(timer);
    whole();
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
