import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/**
 * Moves what stands in a database's write-ahead log into the database, on a thread of its own: copying some
 * megabytes and waiting for the disk twice would hold the event loop for as long as that takes. Writers go on
 * meanwhile (https://www.sqlite.org/c3ref/wal_checkpoint_v2.html, PASSIVE).
 *
 * Resolves when it is done. Never rejects: a log that could not be moved is still whole, and read as before.
 *
 * @example await checkpointAside('/home/ann/.local/share/grove/vaults/notes/index/catalog.db');
 */
export async function checkpointAside(path: string): Promise<void> {
  const thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
    workerData: pathToFileURL(path).href,
  });
  // The process may end without it.
  thread.unref();
  await once(thread, 'exit').catch(() => {});
}
