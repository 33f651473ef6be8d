import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@grove/core';
import type { GitLocation } from '../../repository/location.ts';

/** Files and folders of the git dir that stand there while git is in the middle of something. */
const UNDER_WAY: readonly (readonly [name: string, reason: string])[] = [
  ['MERGE_HEAD', 'a merge is not finished'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick is not finished'],
  ['REVERT_HEAD', 'a revert is not finished'],
  ['rebase-merge', 'a rebase is not finished'],
  ['rebase-apply', 'a rebase or "git am" is not finished'],
  ['sequencer/todo', 'a row of cherry-picks or reverts is not finished'],
  ['BISECT_LOG', 'a bisect is running'],
];

/** What git is in the middle of, as the end of a sentence, or null (git-status tells the same). */
export async function operationUnderWay(location: GitLocation): Promise<string | null> {
  const there = await Promise.all(UNDER_WAY.map(([name]) => isThere(join(location.gitDir, name))));
  const first = there.indexOf(true);
  return first < 0 ? null : UNDER_WAY[first]![1];
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}
