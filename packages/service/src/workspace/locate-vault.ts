import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, isGroveError } from '@grove/core';
import { type GitLocation, locateGitDir } from '@grove/history';
import { locateState } from '@grove/vault';

/** Where a vault's folder, state, history and lock lie. Paths are absolute and real. */
export interface VaultLocation {
  readonly slug: string;
  readonly root: string;
  /** `<dataDir>/vaults/<slug>`. */
  readonly stateDir: string;
  /** The repository that tracks the folder, or null when it is none. */
  readonly repository: GitLocation | null;
  /** Why the folder's own repository cannot be read, or null. */
  readonly repositoryProblem: unknown;
  /** Where its owner's lock is: what a second process reads to find the owner. */
  readonly lockDir: string;
}

/**
 * Finds where the parts of a vault lie, making its state folder on first use.
 *
 * @throws GroveError `vault_missing`, `vault_not_a_folder`
 * @example const { lockDir } = await locateVault({ dataDir, root: '/home/ann/Notes' });
 */
export async function locateVault(options: {
  readonly dataDir: string;
  readonly root: string;
}): Promise<VaultLocation> {
  const { slug, stateDir, root } = await locateState(options.dataDir, options.root);
  const { repository, problem } = await findRepository(root);
  const lockDir = await lockDirOf(repository, stateDir);
  return { slug, root, stateDir, repository, repositoryProblem: problem, lockDir };
}

async function findRepository(
  root: string,
): Promise<{ readonly repository: GitLocation | null; readonly problem: unknown }> {
  try {
    return { repository: await locateGitDir(root), problem: null };
  } catch (error) {
    // Notes are readable without their history: the vault opens, and health says what is missing.
    if (isGroveError(error, 'repository_unreadable')) return { repository: null, problem: error };
    throw error;
  }
}

/**
 * The lock lies in the git dir, so that processes with different data folders see the same one; each vault of a
 * repository that holds several has its own. In the state folder where there is no git dir, or none to write to.
 */
async function lockDirOf(repository: GitLocation | null, stateDir: string): Promise<string> {
  if (repository === null || !(await isWritable(repository.gitDir))) return stateDir;
  const { gitDir, prefix } = repository;
  return prefix === ''
    ? join(gitDir, 'grove')
    : join(gitDir, 'grove', Buffer.from(prefix).toString('base64url'));
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false;
    throw error;
  }
}
