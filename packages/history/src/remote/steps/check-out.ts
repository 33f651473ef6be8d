import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { diskWriteFs, errorCode, GroveError, isGroveError } from '@grove/core';
import type { GitStore } from '../../git-store.ts';
import { isFolder, isRegularFile } from '../../objects/tree.ts';
import type { GitWriter } from '../../writing/git-writer.ts';
import { type IndexChange, UNKNOWN_STAT } from '../../writing/index-file/index-stat.ts';
import { withFolderOwner } from '../../writing/locks/folder-owner.ts';
import { refuseName } from '../../writing/objects/refuse-name.ts';
import { lfToCrlf } from '../../writing/rules/end-of-line.ts';
import type { RemoteProgress } from '../remote-options.ts';
import { nameFromRemote } from '../wire/remote-failure.ts';

/** A commit whose files are to be written into an empty folder. */
export interface Checkout {
  readonly host: string;
  readonly dir: string;
  readonly commit: string;
  readonly onProgress: (progress: RemoteProgress) => void;
}

interface Leaf {
  readonly path: string;
  readonly mode: number;
  readonly oid: string;
}

const LINK = 0o120000;
const MOST_PATHS = 250_000;
const LONGEST_PATH = 4096;
/** As many as Node's threads for files. */
const AT_ONCE = 4;

/**
 * Writes all files of a commit, synced, and the index of them. Content that a filter would convert (git-lfs, git-crypt)
 * stays as git has it. A link is in the index and not made, as a pull leaves it: it could lead anywhere.
 */
export async function checkOut(writer: GitWriter, store: GitStore, checkout: Checkout): Promise<void> {
  const { host, dir, commit, onProgress } = checkout;
  const fs = withFolderOwner(diskWriteFs);
  const folders: string[] = [dir];
  const leaves = await leavesOf(store, (await store.readCommit(commit)).tree, host);
  // What attributes say of a file is looked up there while theirs is not written yet.
  await commitIndex(writer, []);
  const changes: IndexChange[] = [];
  await writer.inOnePass(async () => {
    for (const [done, leaf] of leaves.entries()) {
      const path = join(dir, ...leaf.path.split('/'));
      const entry = { path: leaf.path, oid: leaf.oid, mode: leaf.mode.toString(8) };
      if (leaf.mode === LINK) {
        changes.push({ ...entry, stat: UNKNOWN_STAT, absent: true });
        continue;
      }
      if (!isRegularFile(leaf.mode)) {
        // A folder, or the place of a submodule.
        await inPlace(host, leaf.path, () => fs.mkdir(path));
        folders.push(path);
        continue;
      }
      const stored = await store.readBlob(leaf.oid);
      const { crlf, eol } = await writer.rules(leaf.path);
      const bytes = crlf && eol !== 'binary' ? lfToCrlf(stored, eol) : stored;
      await inPlace(host, leaf.path, async () => {
        const handle = await fs.create(path, leaf.mode & 0o100 ? 0o777 : 0o666);
        try {
          await handle.write(bytes);
        } finally {
          await handle.close();
        }
      });
      changes.push({ ...entry, stat: await lstat(path, { bigint: true }) });
      onProgress({ phase: 'writing files', done, total: leaves.length });
    }
  });
  const files = leaves.filter(({ mode }) => isRegularFile(mode)).map(({ path }) => join(dir, path));
  for (let at = 0; at < files.length; at += AT_ONCE) {
    await Promise.all(files.slice(at, at + AT_ONCE).map((path) => fs.sync(path)));
    onProgress({ phase: 'syncing files', done: at, total: files.length });
  }
  for (const folder of folders) await fs.sync(folder);
  await commitIndex(writer, changes);
}

async function commitIndex(writer: GitWriter, changes: readonly IndexChange[]): Promise<void> {
  await using lock = await writer.lockIndex();
  await lock.commit(changes);
}

/** Everything in a tree, folders before what is in them. */
async function leavesOf(store: GitStore, tree: string, host: string): Promise<Leaf[]> {
  const leaves: Leaf[] = [];
  const enter = async (oid: string, folder: string) => {
    const names = new Set<string>();
    for (const { name, mode, oid: below } of await store.readTree(oid)) {
      const path = folder + name;
      refuse(name, path, host);
      if (names.has(name)) throw unusable(host, `"${nameFromRemote(path)}" is there twice`);
      names.add(name);
      // A few trees that hold each other make endless paths.
      if (leaves.length === MOST_PATHS || path.length > LONGEST_PATH)
        throw unusable(host, 'it holds more files, or longer paths, than can be made');
      leaves.push({ path, mode, oid: below });
      if (isFolder(mode)) await enter(below, `${path}/`);
    }
  };
  await enter(tree, '');
  return leaves;
}

/** A name that git refuses too, or one that this system would take for a path. */
function refuse(name: string, path: string, host: string): void {
  try {
    refuseName(name, path);
  } catch (error) {
    if (!isGroveError(error)) throw error;
    throw unusable(host, `git does not allow the name "${nameFromRemote(path)}" in it`);
  }
  if (name.includes('/') || (process.platform === 'win32' && /[\\:]/.test(name)))
    throw unusable(host, `this machine cannot have a file "${nameFromRemote(path)}"`);
}

/** Of two names that are one on this disk the second one is refused. */
async function inPlace(host: string, path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw unusable(host, `"${nameFromRemote(path)}" has the same name on this disk as another file in it`);
  }
}

function unusable(host: string, reason: string): GroveError {
  return new GroveError('remote_history_unusable', { host, reason });
}
