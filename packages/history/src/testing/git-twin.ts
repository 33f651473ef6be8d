import { systemClock } from '@grove/core';
import type { SystemGit } from '@grove/testing';
import { expect } from 'vitest';
import type { Signature } from '../objects/commit.ts';
import { locateGitDir } from '../repository/locate.ts';
import { type GitWriter, type GitWriterOptions, openGitWriter } from '../writing/git-writer.ts';
import type { BuiltCommit, CommitChange } from '../writing/objects/build-commit.ts';
import { NO_USER_SETTINGS } from '../writing/rules/user-settings.ts';
import { indexChanges } from './index-changes.ts';

export const ADA: Signature = {
  name: 'Ada',
  email: 'ada@example.org',
  time: 1_700_000_000_000,
  offset: 60,
};

/** Opens a writer of the vault at `root` that knows no settings of the machine. */
export async function openWriter(root: string, options: Partial<GitWriterOptions> = {}): Promise<GitWriter> {
  return openGitWriter((await locateGitDir(root))!, {
    clock: systemClock,
    user: NO_USER_SETTINGS,
    ...options,
  });
}

/**
 * A whole write of what is on disk at these paths, in the order the engine of writes has it: lock, HEAD,
 * objects, ref, index.
 */
export async function commitPaths(
  writer: GitWriter,
  root: string,
  changes: readonly CommitChange[],
  message = 'Change',
): Promise<BuiltCommit> {
  await using lock = await writer.lockIndex();
  const head = await writer.head(changes.map(({ path }) => path));
  const cleaned: CommitChange[] = [];
  for (const change of changes) {
    const { path, bytes } = change;
    cleaned.push(bytes === null ? change : { ...change, bytes: await writer.clean(path, bytes) });
  }
  const built = await writer.buildCommit({
    parent: head.oid,
    changes: cleaned,
    author: ADA,
    committer: ADA,
    message,
  });
  await writer.writeObjects(built);
  const move = { ref: head.ref, from: head.oid, to: built.oid, reflog: `commit: ${message}`, who: ADA };
  expect(await writer.moveRef(move)).toBe('moved');
  await lock.commit(indexChanges(root, built));
  return built;
}

/** Git's own judgement: every object sound, nothing that differs between HEAD, index and files. */
export function expectSound(git: SystemGit): void {
  expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
  expect(git.run('status', '--porcelain')).toBe('');
}
