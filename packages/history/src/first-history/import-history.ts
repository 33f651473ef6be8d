import fs from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GroveError } from '@grove/core';
import { openGitStore } from '../git-store.ts';
import type { GitLocation } from '../repository/location.ts';

/** One commit to write; its parent is the one before it. */
export interface ImportedCommit {
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  /** Milliseconds since the epoch; author and committer time. */
  readonly time: number;
  /** What the commit changes, by path below the work tree; null removes the file. */
  readonly files: readonly { readonly path: string; readonly content: Uint8Array | null }[];
}

/**
 * Writes the first history of a new repository: objects, branch and index, and the files of the last commit
 * in the work tree with that commit's times. Not crash-safe in itself: for a folder that nobody uses yet.
 * Throws `bad_input` when the branch has commits already.
 *
 * @example
 * const location = await initGitDir(`${folder}/.git`, { workTree: folder });
 * await importHistory(location, [{ message: 'Begin', author, time: Date.now(), files }]);
 */
export async function importHistory(
  location: GitLocation,
  commits: readonly ImportedCommit[],
): Promise<void> {
  await using store = await openGitStore(location);
  if ((await store.resolveHead()).oid !== null) {
    throw new GroveError('bad_input', { reason: 'the repository has a history already' });
  }
  // Half a megabyte of code that nothing else needs: loaded where it is used.
  const git = await import('isomorphic-git');
  const repository = { fs, dir: location.workTreeRoot, gitdir: location.gitDir, cache: {} };
  for (const { message, author, time, files } of commits) {
    const seconds = Math.floor(time / 1000);
    for (const { path, content } of files) {
      const file = join(location.workTreeRoot, ...path.split('/'));
      if (content === null) {
        await rm(file);
        await git.remove({ ...repository, filepath: path });
        continue;
      }
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      // Before the index takes the file's stat.
      await utimes(file, seconds, seconds);
      await git.add({ ...repository, filepath: path, force: true });
    }
    const signature = { ...author, timestamp: seconds, timezoneOffset: 0 };
    await git.commit({ ...repository, message, author: signature, committer: signature });
  }
}
