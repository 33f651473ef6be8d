import { join } from 'node:path';
import { leadsSomewhere } from '../../repository/is-there.ts';
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
export function operationUnderWay(location: GitLocation): string | null {
  const found = UNDER_WAY.find(([name]) => leadsSomewhere(join(location.gitDir, name)));
  return found?.[1] ?? null;
}
