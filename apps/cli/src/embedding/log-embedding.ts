import type { Log } from '@grove/server';
import type { OpenedVault } from '@grove/service';

/** A line comes at each of so many equal steps. */
const STEPS = 10;

/** Writes into the log how far the notes of a vault are embedded, and what stands in the way. */
export function logEmbedding(opened: OpenedVault, log: Log): void {
  let reached = -1;
  let told: string | null = null;
  opened.onProgress(({ phase, done, total, finished }) => {
    if (phase !== 'embedding' || total === null) return;
    const problem = opened.search.health().meaning?.problem ?? null;
    if (problem !== null && problem !== told) log.warn({ vault: opened.slug, problem }, 'embedding waits');
    told = problem;
    const step = total === 0 ? STEPS : Math.floor((done / total) * STEPS);
    if (step <= reached && !finished) return;
    reached = step;
    log.info({ vault: opened.slug, done, total }, finished ? 'embedded' : 'embedding');
  });
}
