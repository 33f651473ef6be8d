import { folderOf, noteName, type VaultPath } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';

/** A copy that a sync tool left, and the note that it is a copy of, where that is still there. */
export interface ConflictCopy {
  readonly copy: NoteRow;
  readonly of: NoteRow | null;
}

/** What tools put into the names of their copies. */
const MARK =
  /\.sync-conflict-\d+-\d+(?:-\w+)?|\s*\((?:[^()]*\bconflicted copy\b|conflict |case conflict)[^()]*\)/gi;

/** The conflict copies that the owner hears of, by path. */
export function conflictCopies(view: View): readonly ConflictCopy[] {
  return view.conflictCopies().map((copy) => ({ copy, of: originalOf(view, copy.path) }));
}

function originalOf(view: View, path: VaultPath): NoteRow | null {
  const name = `${noteName(path).replaceAll(MARK, '')}.md`;
  const folder = folderOf(path);
  return view.get((folder === '' ? name : `${folder}/${name}`) as VaultPath);
}
