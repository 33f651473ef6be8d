import { copyFile, lchown, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GroveError, randomId, syncFolder, writeDurably } from '@grove/core';
import { openGitStore } from '../git-store.ts';
import { initGitDir } from './initialise.ts';
import { isThere } from './is-there.ts';
import type { GitLocation } from './location.ts';
import { readGitFile } from './small-file.ts';

/** Of an attempt that was cut short; no git ever makes such a name. */
const UNFINISHED = /^\.git\.[0-9A-Za-z_-]+\.grove$/;
/** What belongs to whoever has a git dir open, and would be in the way in another place. */
const NOT_COPIED = new Set(['grove', 'gc.pid']);

/**
 * Gives a folder a `.git` of its own, with the history that `from` kept for it so far, or none. It is made beside its
 * place, synced and looked over before it gets its name, so that it is there whole or not at all; `from` stays as it is.
 * Nobody may write into `from` meanwhile.
 *
 * @param from a git dir with `workTree` as its work tree; null or missing where there is no history to take along
 * @throws GroveError `git_init_refused` when the folder has an entry `.git`; `repository_unreadable` for a damaged `from`
 * @example await adoptGitDir('/data/vaults/garden/git', '/home/ada/garden')
 */
export async function adoptGitDir(from: string | null, workTree: string): Promise<GitLocation> {
  const root = await realpath(workTree);
  const target = join(root, '.git');
  for (const name of await readdir(root))
    if (UNFINISHED.test(name)) await rm(join(root, name), { recursive: true, force: true });
  if (await isThere(target))
    throw new GroveError('git_init_refused', { reason: 'it has an entry .git that is no repository' });
  const fresh = `${target}.${randomId()}.grove`;
  const isKept = from !== null && (await readGitFile(join(from, 'HEAD'))) !== null;
  try {
    if (isKept) await copyDurably(from, fresh, NOT_COPIED);
    else await initGitDir(fresh, { workTree: root });
    await forgetWorkTree(fresh);
    if (isKept) await requireSameHistory(from, fresh, root);
    await giveTo(fresh, await lstat(root));
    await syncFolder(fresh);
    await rename(fresh, target);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(root);
  return locationOf(target, root);
}

function locationOf(gitDir: string, workTreeRoot: string): GitLocation {
  return { gitDir, commonDir: gitDir, workTreeRoot, prefix: '' };
}

/** Copies a folder with all below it, modes kept, and brings it to the disk. */
async function copyDurably(from: string, to: string, left: ReadonlySet<string>): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (left.has(entry.name) || entry.name.endsWith('.lock')) continue;
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyDurably(source, copy, new Set());
    // A git dir of Grove's holds nothing else that would be worth following.
    else if (entry.isFile()) {
      await copyFile(source, copy);
      const handle = await open(copy, 'r');
      await handle.sync().finally(() => handle.close());
    }
  }
  await syncFolder(to);
}

/** A `.git` belongs to the folder that it lies in, also when that is moved. */
async function forgetWorkTree(gitDir: string): Promise<void> {
  const path = join(gitDir, 'config');
  const config = (await readGitFile(path)) ?? '';
  const { mode } = await lstat(path);
  // Grove writes it on a line of its own, last of all below a [core] that then holds nothing else.
  const without = config.replaceAll(/^[ \t]*worktree[ \t]*=.*\n?/gim, '');
  await writeDurably(path, without.replaceAll(/^\[core\]\n(?=\[|$(?![\s\S]))/gm, ''), mode & 0o777);
}

async function requireSameHistory(from: string, fresh: string, root: string): Promise<void> {
  await using old = await openGitStore(locationOf(from, root));
  await using made = await openGitStore(locationOf(fresh, root));
  const [before, after] = [await old.resolveHead(), await made.resolveHead()];
  if (before.oid !== after.oid || before.ref !== after.ref)
    throw new GroveError('git_init_refused', { reason: 'another program wrote into its history meanwhile' });
  if (after.oid !== null) await made.readTree((await made.readCommit(after.oid)).tree);
}

/**
 * What root makes in somebody's folder is theirs: git itself refuses a `.git` of another user. Links are given away, not
 * what they lead to.
 */
export async function giveTo(path: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  await lchown(path, uid, gid);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) await giveTo(below, { uid, gid });
    else await lchown(below, uid, gid);
  }
}
