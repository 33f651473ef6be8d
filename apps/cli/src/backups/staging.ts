import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isGroveError, randomId } from '@grove/core';
import { acquireOwnership, type Ownership } from '@grove/vault';
import { UNFINISHED } from './data-contents.ts';

const STAGING = new RegExp(`^\\${UNFINISHED}backup-[\\w-]+$`);
/** What is in the folder of a process that is making or reading a backup: it holds the lock while it lives. */
const LOCK_FILE = 'owner.lock';

/**
 * Does something in a new folder that this user alone may read, and removes it with all that is in it. What processes that
 * were killed have left beside it is removed first: there are secrets in it.
 *
 * @param folder where it is made
 */
export async function inStaging<Result>(
  folder: string,
  work: (staging: string) => Promise<Result>,
): Promise<Result> {
  for (const name of await readdir(folder)) if (STAGING.test(name)) await removeAbandoned(join(folder, name));
  const staging = join(folder, `${UNFINISHED}backup-${randomId()}`);
  await mkdir(staging, { mode: 0o700 });
  const lock = await hold(staging);
  try {
    return await work(staging);
  } finally {
    await lock.release();
    await rm(staging, { recursive: true, force: true });
  }
}

async function removeAbandoned(staging: string): Promise<void> {
  if (!(await isOwn(staging, 'folder')) || !(await isOwn(join(staging, LOCK_FILE), 'file'))) return;
  try {
    await (await hold(staging)).release();
  } catch (error) {
    if (isGroveError(error, 'vault_owned')) return;
    throw error;
  }
  await rm(staging, { recursive: true, force: true });
}

/** Others may write beside it, such as in the folder for temporary files. */
async function isOwn(path: string, kind: 'file' | 'folder'): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null || (process.getuid !== undefined && stats.uid !== process.getuid())) return false;
  return kind === 'file' ? stats.isFile() : stats.isDirectory();
}

async function hold(staging: string): Promise<Ownership> {
  const owner = { host: hostname(), pid: process.pid, socketPath: null, kind: 'server' } as const;
  return await acquireOwnership({ lockDir: staging, ...owner });
}
