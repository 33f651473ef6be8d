import { Slices } from '@grove/core';
import type { GitStore } from '@grove/history';
import { isConflictCopy } from '@grove/vault';
import { clip } from '../answers/note-facts.ts';
import type { Scope } from '../contract.ts';

/** A folder, as the mode of an entry in a tree of git says it. */
const FOLDER = 0o40000;

/** Copies beside files that are no notes, as the last commit has them: for who sees all of the vault. */
export async function otherFiles({ past, mayName }: Scope): Promise<string[]> {
  if (past === null || !past.seesAll) return [];
  const { store } = past.history;
  const { oid } = await store.resolveHead();
  const top = oid === null ? null : await store.treeAt(oid);
  if (top === null) return [];
  const found: string[] = [];
  const slices = new Slices();
  for await (const path of filesBelow(store, top, '')) {
    if (slices.spent) await slices.rest();
    const isNote = /\.md$/i.test(path);
    if (!isNote && isConflictCopy(path.slice(path.lastIndexOf('/') + 1)) && mayName(path))
      found.push(clip(path, 300));
  }
  return found;
}

async function* filesBelow(store: GitStore, tree: string, folder: string): AsyncGenerator<string> {
  for (const { name, mode, oid } of await store.readTree(tree)) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (mode === FOLDER) yield* filesBelow(store, oid, path);
    else yield path;
  }
}
