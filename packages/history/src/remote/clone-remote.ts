import { lstat, mkdir, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errorCode, GroveError, syncFolder } from '@grove/core';
import { giveTo } from '../repository/adopt-git-dir.ts';
import { writing } from '../writing/write-failure.ts';
import { runRemote } from './process/run-remote.ts';
import { IDLE_LIMIT_MS } from './remote.ts';
import { parseRemoteAddress } from './remote-address.ts';
import type { CloneOptions } from './remote-options.ts';

/** Where a clone is made, in the folder itself: that may be a mount of its own. */
const UNFINISHED = '.grove-clone';

/**
 * Clones one branch of a remote, which becomes `origin`. The files appear when everything is there, `.git` last of all;
 * when it fails or is called off, the folder is as it was. What a killed clone left is removed by the next one.
 *
 * @returns the commit that was checked out, null for a remote that is empty; and the branch
 * @throws GroveError `clone_folder_taken`, `remote_…`, `repository_full`, `repository_unwritable`; the signal's reason
 * @example await cloneRemote({ url: 'https://github.com/ada/notes.git', dir: '/home/ada/notes', token });
 */
export async function cloneRemote(options: CloneOptions): Promise<{ commit: string | null; branch: string }> {
  const { url, token, branch = null, depth = null, idleLimitMs = IDLE_LIMIT_MS } = options;
  parseRemoteAddress(url);
  if (depth !== null && !(Number.isSafeInteger(depth) && depth > 0))
    throw new GroveError('bad_input', { reason: 'the depth of a clone is a whole number above 0' });
  return writing(async () => {
    const folder = await emptyFolder(resolve(options.dir));
    const dir = join(folder.path, UNFINISHED);
    try {
      await mkdir(dir, { mode: 0o700 });
      const job = { kind: 'clone', url, token, dir, branch, depth, idleLimitMs } as const;
      const result = await runRemote(job, options);
      await giveTo(dir, await lstat(folder.path));
      await moveUp(dir, folder.path);
      return result as { commit: string | null; branch: string };
    } catch (error) {
      await rm(dir, { recursive: true, force: true });
      await folder.remove();
      throw error;
    }
  });
}

/** Makes the folder where it is missing; `remove` takes away what was made. */
async function emptyFolder(dir: string): Promise<{ path: string; remove: () => Promise<void> }> {
  let first: string | undefined;
  try {
    first = await mkdir(dir, { recursive: true });
    const names = await readdir(dir);
    if (names.includes(UNFINISHED)) await rm(join(dir, UNFINISHED), { recursive: true });
    if (names.some((name) => name !== UNFINISHED)) throw taken('there are files in it');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST' || code === 'ENOTDIR') throw taken('it is a file');
    throw error;
  }
  const remove = async () => {
    for (let made = dir; first !== undefined && made.length >= first.length; made = dirname(made))
      await rmdir(made).catch(() => {});
  };
  return { path: await realpath(dir), remove };
}

async function moveUp(from: string, to: string): Promise<void> {
  const names = await readdir(from);
  for (const name of [...names.filter((found) => found !== '.git'), '.git'])
    await rename(join(from, name), join(to, name));
  await rmdir(from);
  await syncFolder(to);
}

function taken(reason: string): GroveError {
  return new GroveError('clone_folder_taken', { reason });
}
