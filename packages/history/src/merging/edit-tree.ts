import { Slices } from '@grove/core';
import { isFolder } from '../objects/tree.ts';
import { findEntry, spliceTree, type TreeEdit } from '../writing/objects/tree-splice.ts';
import type { TreeLeaf } from './their-changes.ts';

interface Folder {
  readonly leaves: Map<string, TreeLeaf | null>;
  readonly folders: Map<string, Folder>;
}

/**
 * A tree with some paths changed, all other entries byte for byte; null takes a path out. A folder that holds nothing
 * any more goes too. Where a file takes the place of a folder, or the other way, the paths of both have to be named.
 */
export async function editTree(
  root: string,
  edits: ReadonlyMap<string, TreeLeaf | null>,
  read: (oid: string) => Promise<Buffer>,
  write: (data: Buffer) => Promise<string>,
): Promise<string> {
  const slices = new Slices();
  const edited = await editFolder(root, grouped(edits));
  return edited ?? write(Buffer.alloc(0));

  async function editFolder(oid: string | null, folder: Folder): Promise<string | null> {
    const tree = oid === null ? Buffer.alloc(0) : await read(oid);
    const changes = new Map<string, TreeEdit['entry']>();
    for (const [name, entry] of folder.leaves) {
      if (slices.spent) await slices.rest();
      const found = exactly(tree, name);
      if (entry !== null) changes.set(name, entry);
      else if (found !== null && !isFolder(found.mode)) changes.set(name, null);
    }
    for (const [name, below] of folder.folders) {
      const found = exactly(tree, name);
      const before = found !== null && isFolder(found.mode) ? found.oid : null;
      const after = await editFolder(before, below);
      if (after !== null) changes.set(name, { mode: 0o40000, oid: after });
      else if (before !== null && !changes.get(name)) changes.set(name, null);
    }
    if (changes.size === 0) return oid;
    const data = spliceTree(
      tree,
      [...changes].map(([name, entry]) => ({ name, entry })),
    );
    if (data.length === 0) return null;
    return oid !== null && data.equals(tree) ? oid : write(data);
  }
}

/** Entries of a tree are found by their bytes here: another Unicode form is another file. */
function exactly(tree: Buffer, name: string): TreeLeaf | null {
  const found = findEntry(tree, name);
  return found?.name === name ? found : null;
}

function grouped(edits: ReadonlyMap<string, TreeLeaf | null>): Folder {
  const top: Folder = { leaves: new Map(), folders: new Map() };
  for (const [path, entry] of edits) {
    const names = path.split('/');
    const name = names.pop()!;
    let folder = top;
    for (const above of names) {
      const below = folder.folders.get(above) ?? { leaves: new Map(), folders: new Map() };
      folder.folders.set(above, below);
      folder = below;
    }
    folder.leaves.set(name, entry);
  }
  return top;
}
