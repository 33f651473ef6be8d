import { GroveError } from '@grove/core';
import type { Signature } from '../../objects/commit.ts';
import type { GitObject } from '../../objects/git-object.ts';
import { isFolder, isRegularFile } from '../../objects/tree.ts';
import { unwritable } from '../write-failure.ts';
import { commitText } from './commit-text.ts';
import { objectId } from './object-id.ts';
import { refuseName } from './refuse-name.ts';
import { type FoundEntry, findEntry, spliceTree, type TreeEdit } from './tree-splice.ts';

/** One path of a commit, relative to the vault. */
export interface CommitChange {
  readonly path: string;
  /** The bytes as git stores them (see `GitWriter.clean`), or null to remove the file. */
  readonly bytes: Uint8Array | null;
  /** Permissions of the file on disk. Where it is left out, those that git has of it stay. */
  readonly mode?: '100644' | '100755';
}

export interface CommitRequest {
  /** The commit to build on: its id, one that was built and not written yet, or null for a first commit. */
  readonly parent: string | BuiltCommit | null;
  readonly changes: readonly CommitChange[];
  readonly author: Signature;
  readonly committer: Signature;
  /** Also one that is made of the tree's id, where it vouches for that. */
  readonly message: string | ((tree: string) => string);
}

/** What became of one change. */
export interface BuiltChange {
  readonly path: string;
  /** From the top of the work tree, as the tree spells it. */
  readonly gitPath: string;
  /** Null when the path was removed. */
  readonly oid: string | null;
  /** `100644`, `100755`; `120000` where links are kept as files. Null when removed. */
  readonly mode: string | null;
}

/** A commit in memory, with every object that it adds. */
export interface BuiltCommit {
  readonly oid: string;
  readonly tree: string;
  readonly parent: string | null;
  /** The commit object's content. */
  readonly raw: Buffer;
  /** Blobs, trees from the deepest up, the commit: no object stands before one that it names. */
  readonly objects: ReadonlyMap<string, GitObject>;
  /** True when the tree is the parent's: nothing would change. */
  readonly unchanged: boolean;
  readonly changes: readonly BuiltChange[];
  /** The commit it was built on, where that was not written yet. */
  readonly base: BuiltCommit | null;
}

/** What building needs of its surroundings. */
export interface TreeSource {
  /** The vault's folder from the top of the work tree, or `''`. */
  readonly prefix: string;
  /** A tree's content. */
  readTree(oid: string): Promise<Buffer>;
  /** Makes equal what the work tree takes for the same name (core.ignoreCase), or null. */
  readonly fold: ((name: string) => string) | null;
  /** `core.precomposeUnicode` counts: a new name is stored in NFC. */
  readonly precompose: boolean;
  /** `core.fileMode` and `core.symlinks`: false where the disk cannot tell. */
  readonly fileMode: boolean;
  readonly symlinks: boolean;
}

interface Folder {
  readonly files: Map<string, CommitChange>;
  readonly folders: Map<string, Folder>;
}

const EXECUTABLE = 0o100755;
const PLAIN = 0o100644;
const LINK = 0o120000;
const SUBMODULE = 0o160000;

/**
 * Builds a commit that changes exactly the named paths: only trees on the way to them are made anew, all
 * other entries stay byte for byte. A folder whose last file goes, goes too. An existing entry is found in
 * either Unicode form of its name. Throws `bad_input` for a path that is named twice, `bad_path` for one that
 * git refuses, `git_in_submodule`.
 */
export async function buildCommit(
  request: CommitRequest,
  source: TreeSource,
  parentTree: string | null,
): Promise<BuiltCommit> {
  const build = new TreeBuild(source);
  const tree = await build.folder(parentTree, grouped(request.changes, source.prefix), '');
  const root = tree ?? build.add({ type: 'tree', data: Buffer.alloc(0) });
  const base = typeof request.parent === 'object' ? request.parent : null;
  const parent = base?.oid ?? (request.parent as string | null);
  const message = typeof request.message === 'string' ? request.message : request.message(root);
  const raw = commitText({ ...request, message, tree: root, parents: parent === null ? [] : [parent] });
  const oid = build.add({ type: 'commit', data: raw });
  const { objects, changes } = build;
  return { oid, tree: root, parent, raw, objects, unchanged: root === parentTree, changes, base };
}

class TreeBuild {
  readonly objects = new Map<string, GitObject>();
  readonly changes: BuiltChange[] = [];
  readonly #source: TreeSource;

  constructor(source: TreeSource) {
    this.#source = source;
  }

  add(object: GitObject): string {
    const oid = objectId(object);
    this.objects.set(oid, object);
    return oid;
  }

  /** The tree with the changes in it, or null when nothing is left of it. */
  async folder(oid: string | null, folder: Folder, path: string): Promise<string | null> {
    const tree = oid === null ? Buffer.alloc(0) : await this.#source.readTree(oid);
    const edits: TreeEdit[] = [];
    for (const [name, below] of folder.folders) {
      const found = findEntry(tree, name, this.#source.fold);
      const spelled = found?.name ?? (this.#source.precompose ? name.normalize('NFC') : name);
      const gitPath = join(path, spelled);
      if (found?.mode === SUBMODULE) {
        throw new GroveError('git_in_submodule', { path: firstPath(below), folder: gitPath });
      }
      const before = found !== null && isFolder(found.mode) ? found.oid : null;
      const after = await this.folder(before, below, gitPath);
      if (after !== null) edits.push({ name: spelled, entry: { mode: 0o40000, oid: after } });
      else if (before !== null) edits.push({ name: spelled, entry: null });
    }
    for (const [name, change] of folder.files) {
      const found = this.#found(tree, name, folder);
      edits.push(...this.#file(found, name, change, path));
    }
    if (edits.length === 0) return oid;
    const names = new Set(edits.map(({ name }) => name));
    if (names.size < edits.length) throw named(firstPath(folder));
    const data = spliceTree(tree, edits);
    if (data.length === 0) return null;
    return data.equals(tree) && oid !== null ? oid : this.add({ type: 'tree', data });
  }

  /** A file that is spelled anew is one that goes and one that comes, whatever names the work tree takes for one. */
  #found(tree: Buffer, name: string, { files }: Folder): FoundEntry | null {
    const found = findEntry(tree, name, this.#source.fold);
    if (found === null || found.name === name) return found;
    const isOther = files.has(found.name) || this.#goes(tree, found.name, name, files);
    return isOther ? null : found;
  }

  #goes(tree: Buffer, spelled: string, name: string, files: Folder['files']): boolean {
    for (const [other, { bytes }] of files)
      if (other !== name && bytes === null && findEntry(tree, other, this.#source.fold)?.name === spelled)
        return true;
    return false;
  }

  #file(found: FoundEntry | null, name: string, change: CommitChange, folder: string): TreeEdit[] {
    const spelled = found?.name ?? (this.#source.precompose ? name.normalize('NFC') : name);
    const { path, bytes } = change;
    const gitPath = join(folder, spelled);
    if (bytes === null) {
      this.changes.push({ path, gitPath, oid: null, mode: null });
      const isFile = found !== null && !isFolder(found.mode) && found.mode !== SUBMODULE;
      return isFile ? [{ name: spelled, entry: null }] : [];
    }
    const mode = this.#mode(found?.mode ?? null, change.mode);
    const oid = this.add({ type: 'blob', data: Buffer.from(bytes) });
    this.changes.push({ path, gitPath, oid, mode: mode.toString(8) });
    return [{ name: spelled, entry: { mode, oid } }];
  }

  /** As git makes a file's mode (read-cache, ce_mode_from_stat). */
  #mode(before: number | null, onDisk: CommitChange['mode']): number {
    if (before === LINK && !this.#source.symlinks) return LINK;
    const known = before !== null && isRegularFile(before);
    if (onDisk !== undefined && this.#source.fileMode) return onDisk === '100755' ? EXECUTABLE : PLAIN;
    return known && before & 0o100 ? EXECUTABLE : PLAIN;
  }
}

function grouped(changes: readonly CommitChange[], prefix: string): Folder {
  const top: Folder = { files: new Map(), folders: new Map() };
  for (const change of changes) {
    const names = [...(prefix === '' ? [] : prefix.split('/')), ...change.path.split('/')];
    for (const name of names) refuseName(name, change.path);
    const file = names.pop()!;
    let folder = top;
    for (const name of names) {
      if (folder.files.has(name)) throw named(change.path);
      const below = folder.folders.get(name) ?? { files: new Map(), folders: new Map() };
      folder.folders.set(name, below);
      folder = below;
    }
    if (folder.files.has(file) || folder.folders.has(file)) throw named(change.path);
    folder.files.set(file, change);
  }
  return top;
}

function named(path: string): GroveError {
  return new GroveError('bad_input', { reason: `the path "${path}" is named twice` });
}

function firstPath(folder: Folder): string {
  for (const change of folder.files.values()) return change.path;
  for (const below of folder.folders.values()) return firstPath(below);
  throw unwritable('a folder without changes was to be changed');
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
