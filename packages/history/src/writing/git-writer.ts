import { join } from 'node:path';
import { type Clock, diskWriteFs, foldCase, GroveError, isGroveError, type WriteFs } from '@grove/core';
import { type GitStore, openGitStore } from '../git-store.ts';
import { type ComingRules, Merging } from '../merging/merging.ts';
import { isFolder, isRegularFile } from '../objects/tree.ts';
import { readFormat } from '../repository/format.ts';
import type { GitLocation } from '../repository/location.ts';
import { RefReader } from '../repository/refs.ts';
import { entriesOfTree } from './index-file/entries-of-tree.ts';
import { endOfPath, lowerBound, stagedAt, stageOf } from './index-file/index-entries.ts';
import { findPath, holdsPath, IndexLock } from './index-file/index-lock.ts';
import { IndexReader } from './index-file/index-reader.ts';
import type { IndexEdit } from './index-file/splice-index.ts';
import { withFolderOwner } from './locks/folder-owner.ts';
import { OwnLock } from './locks/own-lock.ts';
import { OwnMark } from './locks/own-mark.ts';
import { sharedPermissions } from './locks/shared-permissions.ts';
import {
  type BuiltCommit,
  buildCommit,
  type CommitRequest,
  type TreeSource,
} from './objects/build-commit.ts';
import { ObjectWriter } from './objects/object-writer.ts';
import { findEntry } from './objects/tree-splice.ts';
import { OnePass } from './one-pass.ts';
import { operationUnderWay } from './refs/head-state.ts';
import { isAncestor } from './refs/is-ancestor.ts';
import { moveRef, type RefMove, type RefSurroundings, syncRef } from './refs/move-ref.ts';
import { reflogPath, wasMovedFrom } from './refs/reflog.ts';
import { crlfToLf, holdsCrlf, looksLikeText } from './rules/end-of-line.ts';
import { addToExclude } from './rules/exclude-file.ts';
import { GitSettings, settingOn } from './rules/git-settings.ts';
import { PathRuleReader, type PathRules, refuseUnwritable } from './rules/path-rules.ts';
import { type UserSettings, userSettings } from './rules/user-settings.ts';
import { forEachSettled } from './settled.ts';
import { writing } from './write-failure.ts';

export interface GitWriterOptions {
  readonly clock: Clock;
  /** The disk, unless a test puts in another. */
  readonly fs?: WriteFs;
  /** Where git's settings of the machine and the user lie; see {@link userSettings}. */
  readonly user?: UserSettings;
  /** A store of the same repository to read with; it stays open when the writer is closed. */
  readonly store?: GitStore;
}

/** HEAD as it may be committed to; `oid` and `tree` are null before the first commit. */
export interface WritableHead {
  readonly ref: string;
  readonly oid: string | null;
  readonly tree: string | null;
}

const LOCK_WAIT_MS = 2000;

/**
 * Opens a repository for writing. Throws `repository_unreadable` for what cannot even be read; what can be
 * read but not written is told by {@link GitWriter.problem}.
 *
 * @example
 * await using writer = await openGitWriter(location, { clock: systemClock });
 * await using lock = await writer.lockIndex();
 * const head = await writer.head(['Plan.md']);
 */
export async function openGitWriter(location: GitLocation, options: GitWriterOptions): Promise<GitWriter> {
  const store = options.store ?? (await openGitStore(location));
  return new GitWriter(store, options);
}

/**
 * The git half of a write, as primitives: it knows objects, refs, the index and git's rules for paths; what
 * it is to write, and in which order, is for `packages/writes`. Paths are relative to the vault. One writer at
 * a time; between `lockIndex` and the end of that lock nobody else commits.
 *
 * Every method throws `repository_unreadable` for what is missing or damaged, `repository_full` and
 * `repository_unwritable` for what the disk refuses.
 */
export class GitWriter implements AsyncDisposable {
  readonly location: GitLocation;
  readonly #store: GitStore;
  readonly #ownsStore: boolean;
  readonly #fs: WriteFs;
  readonly #mark: OwnMark;
  readonly #pass = new OnePass();
  readonly #refs: RefReader;
  readonly #settings: GitSettings;
  readonly #rules: PathRuleReader;
  readonly #objects: ObjectWriter;
  readonly #index: IndexReader;

  constructor(store: GitStore, options: GitWriterOptions) {
    const { clock, user = userSettings() } = options;
    const fs = withFolderOwner(options.fs ?? diskWriteFs);
    this.location = store.location;
    this.#store = store;
    this.#ownsStore = options.store === undefined;
    this.#fs = fs;
    this.#mark = new OwnMark(store.location, fs);
    this.#refs = new RefReader(store.location);
    this.#settings = new GitSettings(store.location, user, clock, this.#pass);
    this.#rules = new PathRuleReader(store.location, user, this.#settings, clock, this.#pass);
    this.#objects = new ObjectWriter(store, fs, clock);
    this.#index = new IndexReader(join(store.location.gitDir, 'index'), this.#pass);
  }

  /**
   * Why the repository cannot be written soundly, as a sentence, or null: SHA-256, reftable, an unknown
   * extension, a partial clone, a split or sparse index, an index that is damaged or of an unknown version.
   */
  async problem(): Promise<string | null> {
    try {
      const { partialClone } = await readFormat(this.location);
      if (partialClone)
        return 'The git repository cannot be written: it is a partial clone, and objects that a write needs may be missing.';
      this.#index.read();
      return null;
    } catch (error) {
      if (!isGroveError(error, 'repository_unreadable') && !isGroveError(error, 'repository_unwritable')) {
        throw error;
      }
      return `The git repository cannot be written: ${String(error.data.reason)}.`;
    }
  }

  /**
   * Does some work in which git's settings, its rule files and its index are looked at once, and once more when the
   * index is locked.
   */
  inOnePass<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#pass.run(work);
  }

  /** What git's rules say of a path: ignored, converted, part of another repository. */
  async rules(path: string, coming?: ComingRules): Promise<PathRules> {
    return this.#rules.read(path, {
      ...(coming === undefined ? {} : { coming }),
      tracks: async () => {
        const spelled = await this.#spell(path);
        const { entries } = this.#index.read();
        return holdsPath(entries, findPath(entries, spelled));
      },
      content: (file) => this.#indexed(Buffer.from(file)),
    });
  }

  /** Throws `git_ignored`, `git_filter_unsupported` or `git_in_submodule` for a path not to be written. */
  async refuse(path: string): Promise<void> {
    refuseUnwritable(path, await this.rules(path));
  }

  /**
   * The bytes that `git add` would store for a file of these bytes: CRLF becomes LF where attributes or
   * `core.autocrlf` ask for it, except that with `auto` a file of which git has CRLF keeps it. Throws
   * `git_filter_unsupported` where git would run a conversion that Grove does not.
   */
  async clean(path: string, bytes: Uint8Array): Promise<Buffer> {
    const rules = await this.rules(path);
    refuseUnwritable(path, { ...rules, ignored: false, otherRepository: null });
    const same = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (rules.eol === 'binary' || !holdsCrlf(same)) return same;
    if (rules.eol === 'auto' && (!looksLikeText(same) || (await this.#indexHoldsCrlf(path)))) return same;
    return crlfToLf(same);
  }

  /**
   * Takes `index.lock`. Throws `git_busy` when another program holds it for longer than `waitMs`
   * milliseconds.
   */
  lockIndex(waitMs: number = LOCK_WAIT_MS): Promise<IndexLock> {
    return writing(async () => {
      const settings = this.#settings.read();
      const { gitDir } = this.location;
      const lock = await OwnLock.take({
        fs: this.#fs,
        mark: this.#mark,
        path: join(gitDir, 'index.lock'),
        kind: 'index',
        waitMs,
        mode: sharedPermissions(settings.get('core.sharedrepository')),
      });
      // Who held it until now may have changed the index, and others the rest.
      this.#pass.renew();
      const spell = (path: string) => this.#spell(path);
      const headEntries = () => this.#headEntries();
      const full = (path: string) => this.#full(path);
      return new IndexLock(lock, { fs: this.#fs, gitDir, reader: this.#index, spell, full, headEntries });
    });
  }

  /**
   * The branch that HEAD names and its commit. Throws `git_in_operation` when a merge, rebase, cherry-pick,
   * revert or bisect is under way, HEAD names no branch, or one of the paths is unmerged. Read it with the
   * index locked.
   */
  async head(paths: readonly string[]): Promise<WritableHead> {
    const underWay = operationUnderWay(this.location);
    if (underWay !== null) throw new GroveError('git_in_operation', { reason: underWay });
    const { ref, oid } = await this.#refs.head();
    if (ref === null)
      throw new GroveError('git_in_operation', { reason: 'HEAD is detached from every branch' });
    const { entries } = this.#index.read();
    for (const path of entries.unmerged ? paths : []) {
      const spelled = findPath(entries, this.#full(path));
      const at = lowerBound(entries, spelled);
      if (endOfPath(entries, spelled, at) > at && stageOf(entries, at) > 0) {
        throw new GroveError('git_in_operation', { reason: `"${path}" is not merged yet`, path });
      }
    }
    const tree = oid === null ? null : (await this.#store.readCommit(oid)).tree;
    return { ref: await this.#refs.target(ref), oid, tree };
  }

  /** The commit that a full ref name such as `refs/heads/main` names now, or null. */
  tipOf(ref: string): Promise<string | null> {
    return this.#refs.resolve(ref);
  }

  /** What a commit holds at a path, in either Unicode form, or null. `mode` is octal, such as `100644`. */
  async entryAt(commit: string | null, path: string): Promise<{ oid: string; mode: string } | null> {
    if (commit === null) return null;
    const found = await this.#find((await this.#store.readCommit(commit)).tree, path);
    return found.entry === null ? null : { oid: found.entry.oid, mode: found.entry.mode.toString(8) };
  }

  /**
   * Makes a commit in memory; see {@link buildCommit}. Nothing is written. The same request gives the same
   * ids.
   */
  async buildCommit(request: CommitRequest): Promise<BuiltCommit> {
    const { parent } = request;
    const settings = this.#settings.read();
    const source: TreeSource = {
      prefix: this.location.prefix,
      readTree: (oid) => this.#treeOf(oid, typeof parent === 'object' ? parent : null),
      fold: settingOn(settings, 'core.ignorecase', false) ? foldCase : null,
      // Only git on a Mac knows that setting; elsewhere names stay as the disk has them.
      precompose: process.platform === 'darwin' && settingOn(settings, 'core.precomposeunicode', false),
      fileMode: settingOn(settings, 'core.filemode', true),
      symlinks: settingOn(settings, 'core.symlinks', true),
    };
    const parentTree =
      typeof parent === 'string' ? (await this.#store.readCommit(parent)).tree : (parent?.tree ?? null);
    return buildCommit(request, source, parentTree);
  }

  /**
   * Writes a built commit's objects; those of a commit it was built on have to be written before. Not synced:
   * see {@link syncObjects}. With `repair` a loose object that a crash left damaged is written again.
   */
  async writeObjects(built: BuiltCommit, options: { repair?: boolean } = {}): Promise<void> {
    await writing(async () => {
      const settings = this.#settings.read();
      await forEachSettled(built.objects, async ([oid, object]) => {
        await this.#objects.write(oid, object, settings, options.repair ?? false);
        this.#store.remember(oid, object);
      });
    });
  }

  /** Makes the objects of built commits durable. */
  async syncObjects(commits: readonly BuiltCommit[]): Promise<void> {
    const objects = new Map(commits.flatMap((commit) => [...commit.objects]));
    await writing(async () => this.#objects.sync(objects, this.#settings.read()));
  }

  /** Adds patterns to the repository's own `info/exclude`, durably. */
  async exclude(patterns: readonly string[]): Promise<void> {
    await writing(() => addToExclude(this.#fs, this.location, patterns));
  }

  /** What is stored of one merge. */
  merging(): Merging {
    const rules = (path: string, coming: ComingRules) => this.rules(path, coming);
    const parts = { store: this.#store, objects: this.#objects, settings: this.#settings };
    return new Merging({ ...parts, index: this.#index, rules });
  }

  /** True when an object is on disk, loose or packed. */
  has(oid: string): Promise<boolean> {
    return this.#store.has(oid);
  }

  /** Moves a branch; see {@link moveRef}. Throws `git_busy`. */
  async moveRef(move: RefMove): Promise<'moved' | 'lost'> {
    return writing(async () => moveRef(move, await this.#refSurroundings()));
  }

  /** Makes the last move of a branch durable, its reflogs included. */
  async syncRef(ref: string): Promise<void> {
    await writing(async () => syncRef(ref, await this.#refSurroundings()));
  }

  /** Makes the name of the index durable; its content is, unless it was committed with `sync: false`. */
  async syncIndex(): Promise<void> {
    await writing(async () => {
      await this.#fs.sync(join(this.location.gitDir, 'index'));
      await this.#fs.sync(this.location.gitDir);
    });
  }

  /** True when `commit` is `of` or one of its ancestors; a commit that is not there is none. */
  async isAncestor(commit: string, of: string): Promise<boolean> {
    if (!(await this.#store.has(commit))) return false;
    const shallow = await this.#store.shallowCommits();
    const read = async (oid: string) => {
      const found = await this.#store.readCommit(oid);
      return shallow.has(oid) ? { ...found, parents: [] } : found;
    };
    return isAncestor(await this.#store.readCommit(commit), of, read);
  }

  /**
   * True when the branch's reflog tells that it once stood at this commit and was moved from it: somebody
   * has seen it there, and where the branch is now is their will.
   */
  movedFrom(ref: string, commit: string): Promise<boolean> {
    return wasMovedFrom(reflogPath(this.location, ref), commit);
  }

  async close(): Promise<void> {
    if (this.#ownsStore) await this.#store.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #refSurroundings(): Promise<RefSurroundings> {
    const settings = this.#settings.read();
    return { fs: this.#fs, mark: this.#mark, location: this.location, refs: this.#refs, settings };
  }

  async #headEntries(): Promise<IndexEdit[]> {
    const { oid } = await this.#refs.head();
    if (oid === null) return [];
    return entriesOfTree((await this.#store.readCommit(oid)).tree, (tree) => this.#store.treeBytes(tree));
  }

  #full(path: string): string {
    return this.location.prefix === '' ? path : `${this.location.prefix}/${path}`;
  }

  /** A tree of the commit that is built, of one it builds on, or on disk. */
  #treeOf(oid: string, from: BuiltCommit | null): Promise<Buffer> {
    for (let built = from; built !== null; built = built.base) {
      const object = built.objects.get(oid);
      if (object !== undefined) return Promise.resolve(object.data);
    }
    return this.#store.treeBytes(oid);
  }

  /** The path from the top, as HEAD's tree spells it as far as it has it. */
  async #spell(path: string): Promise<string> {
    const full = this.#full(path);
    const folds = settingOn(this.#settings.read(), 'core.ignorecase', false);
    if (!folds && /^[\x00-\x7f]*$/.test(full)) return full;
    const { oid } = await this.#refs.head();
    if (oid === null) return full;
    return (await this.#find((await this.#store.readCommit(oid)).tree, path)).spelled;
  }

  async #find(
    tree: string,
    path: string,
  ): Promise<{ spelled: string; entry: { oid: string; mode: number } | null }> {
    const folds = settingOn(this.#settings.read(), 'core.ignorecase', false);
    const names = this.#full(path).split('/');
    const spelled: string[] = [];
    let folder: string | null = tree;
    for (const [i, name] of names.entries()) {
      const found = findEntry(await this.#store.treeBytes(folder), name, folds ? foldCase : null);
      spelled.push(found?.name ?? name);
      if (i === names.length - 1) return { spelled: spelled.join('/'), entry: found };
      if (found === null || !isFolder(found.mode)) break;
      folder = found.oid;
    }
    return { spelled: [...spelled, ...names.slice(spelled.length)].join('/'), entry: null };
  }

  async #indexHoldsCrlf(path: string): Promise<boolean> {
    const spelled = await this.#spell(path);
    const { entries } = this.#index.read();
    const blob = await this.#indexed(findPath(entries, spelled));
    return blob !== null && holdsCrlf(blob) && looksLikeText(blob);
  }

  /** What the index has of a file, from the top of the work tree; null for none, a link, an unmerged one. */
  async #indexed(path: Buffer): Promise<Buffer | null> {
    const staged = stagedAt(this.#index.read().entries, path);
    return staged !== null && isRegularFile(staged.mode) ? this.#store.readBlob(staged.oid) : null;
  }
}
