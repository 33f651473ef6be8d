import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, GroveError, isGroveError, syncFolder } from '@grove/core';
import { adoptGitDir, type GitLocation, openGitStore } from '@grove/history';
import { openWriteEngine } from '@grove/writes';
import type { VaultLocation } from '../workspace/locate-vault.ts';
import { syncedBy } from './synced-by.ts';

/** How a vault gets a `.git` of its own. */
export interface GitInsideWish {
  /** True to make it also where a sync program may break it. */
  readonly evenIfSynced: boolean;
}

/** What became of that: made without a history, made with the one that Grove kept, or there already. */
export type GitInsideOutcome = 'made' | 'moved' | 'there';

/**
 * Makes `.git` in the vault's folder and moves the history there that Grove kept for it. At every moment the whole
 * history is in one of the two places; the old one goes once the new one is on disk. What a crash left of a write is
 * finished first. Call it with the vault owned.
 *
 * @throws GroveError `git_init_refused`, `repository_unreadable`, and what opening the engine throws
 */
export async function putGitInside(
  location: VaultLocation,
  wish: GitInsideWish,
  clock: Clock,
): Promise<GitInsideOutcome> {
  const { root, stateDir, repository, repositoryProblem } = location;
  const kept = join(stateDir, 'git');
  if (repositoryProblem !== null) throw repositoryProblem;
  if (repository !== null) {
    if (repository.prefix !== '')
      throw new GroveError('git_init_refused', { reason: 'it is part of a repository above it already' });
    await removeLeftOver(kept, repository);
    return 'there';
  }
  const program = wish.evenIfSynced ? null : await syncedBy(root);
  if (program !== null)
    throw new GroveError(
      'git_init_refused',
      { reason: `${program} keeps it in step with other machines, and breaks a .git sooner or later` },
      {
        hint: 'Leave --git-init out: Grove keeps the history in its data folder. --yes makes it all the same.',
      },
    );
  const hasHistory = existsSync(join(kept, 'HEAD'));
  if (hasHistory) await finishWrites(location, kept, clock);
  await adoptGitDir(hasHistory ? kept : null, root);
  await rm(kept, { recursive: true, force: true });
  await syncFolder(stateDir);
  return hasHistory ? 'moved' : 'made';
}

/** The journal names folders of the git dir: nothing may be left in it when that moves. */
async function finishWrites({ root, stateDir }: VaultLocation, gitDir: string, clock: Clock): Promise<void> {
  const repository = { gitDir, commonDir: gitDir, workTreeRoot: root, prefix: '' };
  const engine = await openWriteEngine({
    root,
    stateDir,
    location: repository,
    clock,
    published: async () => {},
  });
  await engine.close();
}

/** A crash may have come between the new name and the end of the old place: that goes where its last commit is here too. */
async function removeLeftOver(kept: string, repository: GitLocation): Promise<void> {
  if (!existsSync(kept)) return;
  try {
    await using old = await openGitStore({ ...repository, gitDir: kept, commonDir: kept });
    await using store = await openGitStore(repository);
    const { oid } = await old.resolveHead();
    if (oid === null || !(await store.has(oid))) return;
  } catch (error) {
    // What cannot be read is not thrown away.
    if (isGroveError(error, 'repository_unreadable')) return;
    throw error;
  }
  await rm(kept, { recursive: true, force: true });
}
