import type { GitStore } from '../git-store.ts';
import { isFolder } from '../objects/tree.ts';
import { stagedAt } from '../writing/index-file/index-entries.ts';
import { findPath } from '../writing/index-file/index-lock.ts';
import type { IndexReader } from '../writing/index-file/index-reader.ts';
import { type CommitText, commitText } from '../writing/objects/commit-text.ts';
import { objectId } from '../writing/objects/object-id.ts';
import type { ObjectWriter } from '../writing/objects/object-writer.ts';
import { findEntry } from '../writing/objects/tree-splice.ts';
import { lfToCrlf } from '../writing/rules/end-of-line.ts';
import { type GitSettings, settingOn } from '../writing/rules/git-settings.ts';
import { type PathRules, refuseUnwritable } from '../writing/rules/path-rules.ts';
import { writing } from '../writing/write-failure.ts';
import { editTree } from './edit-tree.ts';
import type { TreeLeaf } from './their-changes.ts';

/** What a merge asks of the repository that it is made in. */
export interface MergeSurroundings {
  readonly store: GitStore;
  readonly objects: ObjectWriter;
  readonly settings: GitSettings;
  readonly index: Pick<IndexReader, 'read'>;
  rules(path: string, coming: ComingRules): Promise<PathRules>;
}

/**
 * The .gitattributes, .gitignore or {@link EXCLUDE_FILE} that a merge brings to a path: null where it takes one away,
 * undefined where it brings none.
 */
export type ComingRules = (path: string) => Buffer | null | undefined;

/** How the line breaks of a file are made of those that git has. */
export type Checkout = 'as_is' | 'text' | 'auto';

/** The bytes of a file in the work tree, made of what git has of it. */
export function checkedOut(stored: Buffer, checkout: Checkout): Buffer {
  return checkout === 'as_is' ? stored : lfToCrlf(stored, checkout);
}

/**
 * Stores what a merge is made of, one object at a time: nothing of it is kept in memory. Paths start at the top of the
 * work tree. Every method throws `repository_unreadable`, `repository_full` and `repository_unwritable`.
 */
export class Merging {
  readonly #around: MergeSurroundings;
  readonly #stored = new Set<string>();

  constructor(around: MergeSurroundings) {
    this.#around = around;
  }

  /** False where the disk cannot tell whether a file may be run. */
  get fileMode(): boolean {
    return settingOn(this.#around.settings.read(), 'core.filemode', true);
  }

  /** True where git keeps files out of the work tree on purpose: one that is not there was not removed. */
  get isSparse(): boolean {
    return settingOn(this.#around.settings.read(), 'core.sparsecheckout', false);
  }

  /**
   * What git's rules say of a file once the merge is checked out.
   *
   * @throws GroveError `git_filter_unsupported`, `git_in_submodule`
   */
  async rules(path: string, coming: ComingRules): Promise<PathRules> {
    const rules = await this.#around.rules(path, coming);
    refuseUnwritable(path, { ...rules, ignored: false });
    return rules;
  }

  /** What git's rules say of a file, whether a merge may write it or not. */
  allRules(path: string, coming: ComingRules = () => undefined): Promise<PathRules> {
    return this.#around.rules(path, coming);
  }

  /** What the index has at a path; null for nothing, or what is not merged; undefined where there is no index. */
  staged(path: string): TreeLeaf | null | undefined {
    const { entries, mtimeNs } = this.#around.index.read();
    return mtimeNs === null ? undefined : stagedAt(entries, findPath(entries, path));
  }

  /** What a tree holds at a path, exactly as it is spelled; a folder too. */
  async at(tree: string, path: string): Promise<TreeLeaf | null> {
    const names = path.split('/');
    let folder = tree;
    for (const [place, name] of names.entries()) {
      const found = findEntry(await this.#around.store.treeBytes(folder), name);
      if (found === null || found.name !== name) return null;
      if (place === names.length - 1) return { mode: found.mode, oid: found.oid };
      if (!isFolder(found.mode)) return null;
      folder = found.oid;
    }
    return null;
  }

  blob(bytes: Uint8Array): Promise<string> {
    return this.#store('blob', Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  /** The tree with these paths changed; null takes one out, and a folder that holds nothing goes too. */
  tree(root: string, edits: ReadonlyMap<string, TreeLeaf | null>): Promise<string> {
    const read = (oid: string) => this.#around.store.treeBytes(oid);
    return editTree(root, edits, read, (data) => this.#store('tree', data));
  }

  commit(text: CommitText): Promise<string> {
    return this.#store('commit', commitText(text));
  }

  /** Makes all that was stored durable. */
  async sync(): Promise<void> {
    await writing(() => this.#around.objects.syncStored(this.#stored));
  }

  async #store(type: 'blob' | 'tree' | 'commit', data: Buffer): Promise<string> {
    const { store, objects, settings } = this.#around;
    const object = { type, data };
    const oid = objectId(object);
    if (this.#stored.has(oid)) return oid;
    await writing(() => objects.writeWhole(oid, object, settings.read()));
    store.remember(oid, object);
    this.#stored.add(oid);
    return oid;
  }
}
