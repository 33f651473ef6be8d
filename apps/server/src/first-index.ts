import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenedVault } from '@grove/service';

/** How long a call waits for the first index. */
const PATIENCE_MS = 10_000;
/** How long calls wait after a restart, from its beginning: what was known then answers, each hit judged again. */
const RESTART_PATIENCE_MS = 250;
/** How long a call waits, after that, for times from git: a long history is read behind the answers. */
const HISTORY_PATIENCE_MS = 500;

/**
 * A wait for the first index of a vault, though not for long: then calls answer with what there is, and say so. The
 * time after a restart runs from this call.
 */
export function firstIndexOf(opened: OpenedVault): () => Promise<void> {
  let isThere = false;
  const ready = opened.ready.then(async () => {
    await Promise.race([opened.historyRead, pause(HISTORY_PATIENCE_MS)]);
    isThere = true;
  });
  // Whoever opened the vault hears of a failure; a call is answered with what there is.
  const over = ready.catch(() => {});
  const restarted = opened.vault.sequence > 0 ? pause(RESTART_PATIENCE_MS) : null;
  return async () => {
    if (!isThere) await Promise.race([over, restarted ?? pause(PATIENCE_MS)]);
  };
}

function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false });
}
