import type { GitStore, Merging, TreeLeaf } from '@grove/history';
import { type DiskLook, foldersOf } from './disk-look.ts';
import { isTree } from './leaves.ts';

/** What a merge makes of paths of a tree: null takes one out. */
export type TreeEdits = ReadonlyMap<string, TreeLeaf | null>;

/** Finds what stands in the way of a file that a merge brings. */
export class Clashes {
  readonly #store: GitStore;
  readonly #merging: Merging;
  readonly #look: DiskLook;
  readonly #tree: string;
  readonly #edits: TreeEdits;
  readonly #leaves = new Map<string, TreeLeaf | null>();

  /** @param tree the branch's own, which `edits` change */
  constructor(store: GitStore, merging: Merging, look: DiskLook, tree: string, edits: TreeEdits) {
    this.#store = store;
    this.#merging = merging;
    this.#look = look;
    this.#tree = tree;
    this.#edits = edits;
  }

  /**
   * The outermost path at which something stays that leaves no room for a file: a file in the place of one of its
   * folders, or a folder in its own. Null where there is room.
   */
  async blocker(path: string, isSubmodule: boolean): Promise<string | null> {
    const inTree = await this.#fileOnTheWay(path);
    const onDisk = this.#look.blocker(path);
    const ways = [inTree, onDisk !== null && this.#edits.get(onDisk) !== null ? onDisk : null];
    const [outermost] = ways.filter((way) => way !== null).sort((a, b) => a.length - b.length);
    if (outermost !== undefined) return outermost;
    if (isSubmodule || (await this.#isEmptied(path))) return null;
    return path;
  }

  /** Folders on disk that stand where a file shall be, and that the merge leaves empty; outermost first. */
  emptiedAt(path: string): readonly string[] {
    return this.#look.isFolder(path)
      ? (this.#look.emptied(path, (below) => this.#edits.get(below) === null) ?? [])
      : [];
  }

  /** True where a name is taken, in the branch or on disk. */
  async isTaken(path: string): Promise<boolean> {
    if (this.#edits.has(path) || this.#look.isThere(path)) return true;
    return (await this.#merging.at(this.#tree, path)) !== null;
  }

  async #fileOnTheWay(path: string): Promise<string | null> {
    for (const folder of foldersOf(path).slice(1)) {
      const edit = this.#edits.get(folder);
      const entry = edit === undefined ? await this.#at(folder) : edit;
      if (entry !== null && !isTree(entry)) return folder;
    }
    return null;
  }

  async #at(folder: string): Promise<TreeLeaf | null> {
    const known = this.#leaves.get(folder);
    if (known !== undefined) return known;
    const found = await this.#merging.at(this.#tree, folder);
    this.#leaves.set(folder, found);
    return found;
  }

  /** True unless something stays in a folder of this name. */
  async #isEmptied(path: string): Promise<boolean> {
    const entry = await this.#merging.at(this.#tree, path);
    if (isTree(entry) && !(await this.#allGo(entry.oid, path))) return false;
    return (
      !this.#look.isFolder(path) ||
      this.#look.emptied(path, (below) => this.#edits.get(below) === null) !== null
    );
  }

  async #allGo(tree: string, folder: string): Promise<boolean> {
    for (const { name, mode, oid } of await this.#store.readTree(tree)) {
      const path = `${folder}/${name}`;
      const goes = isTree({ mode, oid }) ? await this.#allGo(oid, path) : this.#edits.get(path) === null;
      if (!goes) return false;
    }
    return true;
  }
}
