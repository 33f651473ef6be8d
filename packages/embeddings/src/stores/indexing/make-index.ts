import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Beside the table, for what is kept there while an index is made. */
const TEMPORARY = 'making';

/**
 * Makes an index of a table in a process of its own. It takes a minute and hundreds of megabytes, which come back with
 * that process, and the library leaves codes of vectors in the temporary folder: here that is one in the store's own,
 * which is deleted in any case.
 *
 * @param dir the folder of the database; it must be there
 * @param signal ends it early
 * @throws Error when no index was made
 * @example await makeIndex(dir, 'vectors', signal);
 */
export async function makeIndex(dir: string, table: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await clearIndexing(dir);
  const temporary = join(resolve(dir), TEMPORARY);
  await mkdir(temporary, { mode: 0o700 });
  try {
    const program = fileURLToPath(new URL('./index-child.ts', import.meta.url));
    const child = fork(program, [resolve(dir), table], {
      execArgv: [],
      // Its name on Unix, and those on Windows.
      env: { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      cwd: temporary,
    });
    signal.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
    const [code, killed] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    if (code !== 0) throw new Error(`the index was not made (${killed ?? `exit code ${code}`})`);
  } finally {
    await clearIndexing(dir);
  }
}

/** Deletes what a process left that was killed while it made an index. */
export async function clearIndexing(dir: string): Promise<void> {
  await rm(join(dir, TEMPORARY), { recursive: true, force: true });
}
