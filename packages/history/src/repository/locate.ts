import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { errorCode, isGroveError } from '@grove/core';
import { openGitStore } from '../git-store.ts';
import { readFormat } from './format.ts';
import type { GitLocation } from './location.ts';
import { readGitFile } from './small-file.ts';
import { unreadable } from './unreadable.ts';

/**
 * Finds the repository that tracks a folder: its own `.git`, or that of the nearest folder above (then the
 * vault is `prefix` below it, and only if HEAD holds that folder: an untracked folder inside somebody's
 * dotfiles is no part of them). Null when there is none.
 *
 * A `.git` that is a file (linked work tree, submodule, separate git dir) or a symbolic link is followed
 * once, to a git dir that belongs to this folder: one that points back to it, or stands alone. The `.git` of
 * another folder, a bare repository, one whose work tree is elsewhere, or one that belongs to another
 * ordinary user is refused: whoever can put a link into a shared folder must not reach other histories.
 *
 * Throws `repository_unreadable` when the folder's own `.git` is there but is no sound repository.
 *
 * @example await locateGitDir('/home/ada/notes/garden') // {gitDir: '/home/ada/notes/.git', prefix: 'garden', …}
 */
export async function locateGitDir(root: string): Promise<GitLocation | null> {
  const start = await realOrNull(root);
  if (start === null) return null;
  const device = (await stat(start)).dev;
  for (let folder = start; ; folder = dirname(folder)) {
    const found = folder === start ? await repositoryOf(folder) : await usableRepositoryOf(folder);
    if (found !== null) {
      const prefix = relative(folder, start).split(sep).join('/');
      const location = { ...found, workTreeRoot: folder, prefix };
      return prefix === '' || (await tracks(location)) ? location : null;
    }
    const parent = dirname(folder);
    // Like git, stop at the border of the file system.
    if (parent === folder || (await stat(parent)).dev !== device) return null;
  }
}

type GitDir = Pick<GitLocation, 'gitDir' | 'commonDir'>;

/** As {@link repositoryOf} for a folder above the vault's: one that is not usable is none of its. */
async function usableRepositoryOf(folder: string): Promise<GitDir | null> {
  try {
    return await repositoryOf(folder);
  } catch (error) {
    if (isGroveError(error, 'repository_unreadable')) return null;
    throw error;
  }
}

/** The repository whose top is exactly this folder. Throws `repository_unreadable` for a broken one. */
async function repositoryOf(folder: string): Promise<GitDir | null> {
  const entry = join(folder, '.git');
  const kind = await kindOf(entry);
  if (kind === null) return null;
  if (kind === 'folder') {
    const found = await readGitDir(entry);
    if (found === null) return await refuseRemains(entry);
    await checkBelongs(found, folder, entry, false);
    return found;
  }
  const target = kind === 'link' ? await realOrNull(entry) : await fileTarget(entry);
  // A link to a `.git` file: one step more, no further.
  const gitDir = target !== null && (await kindOf(target)) === 'file' ? await fileTarget(target) : target;
  const found = gitDir === null ? null : await readGitDir(gitDir);
  if (found === null) throw unreadable('the entry .git does not lead to a git dir');
  await checkBelongs(found, folder, entry, true);
  return found;
}

/**
 * Null for a `.git` folder that never was a repository. Throws where one lost a part that git cannot do without: a
 * history begun elsewhere would be a second one as soon as that part is put back.
 */
async function refuseRemains(gitDir: string): Promise<null> {
  for (const part of ['HEAD', 'objects', 'refs', 'packed-refs', 'index'])
    if ((await kindOf(join(gitDir, part))) !== null)
      throw unreadable('its .git folder lacks HEAD, objects or refs');
  return null;
}

async function readGitDir(path: string): Promise<GitDir | null> {
  const gitDir = await realOrNull(path);
  if (gitDir === null) return null;
  // gitrepository-layout: a linked work tree names the shared folder in "commondir".
  const common = (await readGitFile(join(gitDir, 'commondir')))?.trim();
  const commonDir = common ? await realOrNull(resolve(gitDir, common)) : gitDir;
  if (commonDir === null) throw unreadable('its commondir is missing');
  const head = await kindOf(join(gitDir, 'HEAD'));
  if (head === null || head === 'folder') return null;
  for (const part of ['objects', 'refs']) {
    if ((await realOrNull(join(commonDir, part))) === null) return null;
  }
  return { gitDir, commonDir };
}

/** Throws unless the git dir is this folder's. `apart`: the folder only refers to it. */
async function checkBelongs(found: GitDir, folder: string, entry: string, apart: boolean): Promise<void> {
  const owner = (await stat(found.gitDir)).uid;
  const trusted = [(await stat(folder)).uid, process.geteuid?.() ?? owner, 0];
  if (!trusted.includes(owner)) throw unreadable('its git dir belongs to another user');
  const back = (await readGitFile(join(found.gitDir, 'gitdir')))?.trim();
  if (back && found.gitDir !== found.commonDir) {
    const there = await realOrNull(resolve(found.gitDir, back));
    if (there === null || there !== (await realOrNull(entry))) {
      throw unreadable('its work tree was moved; "git worktree repair" there mends it');
    }
    return;
  }
  const format = await readFormat(found);
  if (format.workTree !== null) {
    if ((await realOrNull(resolve(found.gitDir, format.workTree))) !== folder) {
      throw unreadable('its core.worktree is another folder');
    }
  } else if (format.bare) {
    throw unreadable('it is bare');
  } else if (apart && /[\\/]\.git$/.test(found.gitDir)) {
    throw unreadable('the entry .git leads to the repository of another folder');
  }
}

async function tracks(location: GitLocation): Promise<boolean> {
  await using store = await openGitStore(location);
  const { oid } = await store.resolveHead();
  return oid !== null && (await store.treeAt(oid)) !== null;
}

async function fileTarget(entry: string): Promise<string | null> {
  const path = /^gitdir: (.+)$/.exec((await readGitFile(entry))?.trimEnd() ?? '')?.[1];
  return path === undefined ? null : realOrNull(resolve(dirname(entry), path));
}

async function kindOf(path: string): Promise<'folder' | 'file' | 'link' | null> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return 'link';
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : null;
  } catch (error) {
    return absent(error);
  }
}

async function realOrNull(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    return absent(error);
  }
}

function absent(error: unknown): null {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw unreadable(`a folder on the way to it cannot be opened (${code ?? 'unknown error'})`, error);
}
