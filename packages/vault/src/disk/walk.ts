import { type BigIntStats, type Dirent, lstatSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { acceptDiskPath, errorCode, isGroveError, outOfFiles, Slices, type VaultPath } from '@grove/core';
import type { Dialect } from '@grove/markdown';
import { admitFolder } from './ignored-folders.ts';
import { refusal, type SkipReason } from './stat-key.ts';

/** What a walk meets; every path is vault-relative as the disk spells it. */
export interface WalkVisitor {
  /** A plain file that may be a note, with the path by which Grove knows it (NFC). */
  file(diskPath: string, path: VaultPath, stat: BigIntStats): void;
  skip(diskPath: string, reason: SkipReason): void;
  unreadableFolder(diskPath: string): void;
  /** A folder's entries are known; for the root this tells an empty mount point from a vault. */
  folder(diskPath: string, entries: number): void;
}

export interface WalkOptions {
  readonly root: string;
  readonly dialect: Dialect;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly visitor: WalkVisitor;
}

/**
 * Walks the folder at `start` (`''` = the vault) and shows every Markdown file to the visitor, without
 * reading any. Nothing is followed: a symlink is skipped, whatever it points to. Work is sliced.
 */
export async function walkFolder(start: string, options: WalkOptions): Promise<void> {
  const slices = new Slices();
  const waiting = [start];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    options.signal.throwIfAborted();
    const entries = await listFolder(options, folder);
    if (entries === null) continue;
    options.visitor.folder(folder, entries.length);
    // A reversed push pops in order, so a walk meets paths the same way each time.
    const folders: string[] = [];
    for (const entry of entries) {
      const diskPath = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        const admission = admitFolder(diskPath, options.dialect);
        if (admission === 'open') folders.push(diskPath);
        if (admission === 'ignored') options.visitor.skip(diskPath, 'ignored');
      } else {
        meetFile(diskPath, entry.isSymbolicLink(), options);
      }
      if (slices.spent) await slices.rest();
    }
    waiting.push(...folders.reverse());
  }
}

/** What lies at a path: nothing, a file, or a folder or link (what was below it may be gone). */
export type PathKind = 'nothing' | 'file' | 'folder';

/** Shows one path to the visitor: a file, or a folder with all below it. No link on the way is followed. */
export async function walkPath(diskPath: string, options: WalkOptions): Promise<PathKind> {
  for (let slash = diskPath.indexOf('/'); slash >= 0; slash = diskPath.indexOf('/', slash + 1)) {
    const folder = lookAt(join(options.root, diskPath.slice(0, slash)));
    if (folder === 'unreadable') break;
    if (folder === null || !folder.isDirectory()) return 'nothing';
  }
  const path = join(options.root, diskPath);
  const stat = lookAt(path);
  if (stat === null || (stat !== 'unreadable' && !isSpelledSo(path))) return 'nothing';
  if (stat !== 'unreadable' && stat.isDirectory()) {
    await walkFolder(diskPath, options);
    return 'folder';
  }
  const isLink = stat !== 'unreadable' && stat.isSymbolicLink();
  meetFile(diskPath, isLink, options);
  return isLink ? 'folder' : 'file';
}

/** False when a file system that ignores case or Unicode form found the file under another spelling. */
function isSpelledSo(path: string): boolean {
  return process.platform === 'linux' || realpathSync.native(path) === path;
}

function meetFile(diskPath: string, isLink: boolean, options: WalkOptions): void {
  const { visitor } = options;
  if (!/\.md$/i.test(diskPath)) {
    // A link to a folder hides whatever is behind it, so the owner hears of links under any name.
    if (isLink) visitor.skip(diskPath, 'symlink');
    return;
  }
  const path = accepted(diskPath);
  if (path === null) {
    const hidden = diskPath.slice(diskPath.lastIndexOf('/') + 1).startsWith('.');
    visitor.skip(diskPath, hidden ? 'ignored' : 'bad_name');
    return;
  }
  // Not by `join`, which looks at every sign of the root again: a sweep comes here for each file.
  const stat = lookAt(`${options.root}/${diskPath}`);
  if (stat === null) {
    // Node decodes invalid UTF-8 to U+FFFD, under which the file cannot be found again.
    if (diskPath.includes('\uFFFD')) visitor.skip(diskPath, 'bad_name');
    return;
  }
  if (stat === 'unreadable') {
    visitor.skip(diskPath, 'unreadable');
    return;
  }
  if (stat.isDirectory()) return;
  const reason = refusal(stat, options.maxBytes);
  if (reason === null) visitor.file(diskPath, path, stat);
  else visitor.skip(diskPath, reason);
}

function accepted(diskPath: string): VaultPath | null {
  try {
    return acceptDiskPath(diskPath);
  } catch (error) {
    if (isGroveError(error, 'bad_path')) return null;
    throw error;
  }
}

function lookAt(path: string): BigIntStats | 'unreadable' | null {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    // ENOTDIR is an answer; EACCES, EIO and the like are none: what is there stays known.
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : 'unreadable';
  }
}

async function listFolder(options: WalkOptions, folder: string): Promise<Dirent[] | null> {
  try {
    // Asynchronous on purpose: a mount that hangs is met here first and does not stop the process.
    const entries = await readdir(join(options.root, folder), { withFileTypes: true });
    return entries.sort((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0));
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    // A listing that cannot be made now would hide every note of the folder.
    const exhausted = outOfFiles(error);
    if (exhausted !== null) throw exhausted;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') options.visitor.unreadableFolder(folder);
    return null;
  }
}
