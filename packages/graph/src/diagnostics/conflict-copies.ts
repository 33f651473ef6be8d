import { folderOf, noteName, type VaultPath } from '@grove/core';
import { type NoteRow, type View, withoutCopyMark } from '@grove/vault';

/** A copy that a sync tool left, and the note that it is a copy of, where that is still there. */
export interface ConflictCopy {
  readonly copy: NoteRow;
  /** The path of the note that it is a copy of. */
  readonly original: VaultPath;
  readonly of: NoteRow | null;
  /** The remote whose version it holds, and the day, where Grove itself saved it from a pull. */
  readonly pulled: { readonly remote: string; readonly day: string } | null;
}

/** `(conflict 2026-11-30 origin)`, `(conflict 2026-11-30 origin 2)`; with a time of day it is no pull's. */
const PULLED = /\(conflict (\d{4}-\d\d-\d\d) (?!\d\d[-.]\d\d)([^()]+?)(?: \d+)?\)/;

/** Of a longer name a copy has only the beginning: there would be no room for the mark. */
const CUT_FROM_BYTES = 150;

/** The conflict copies that the owner hears of, by path. */
export function conflictCopies(view: View): readonly ConflictCopy[] {
  return view.conflictCopies().map((copy) => {
    const { original, of } = originalOf(view, copy.path);
    const [, day, remote] = PULLED.exec(noteName(copy.path)) ?? [];
    const pulled = day === undefined || remote === undefined ? null : { remote, day };
    return { copy, original, of, pulled };
  });
}

function originalOf(view: View, path: VaultPath): Pick<ConflictCopy, 'original' | 'of'> {
  const folder = folderOf(path);
  const name = withoutCopyMark(noteName(path));
  const original = `${folder === '' ? '' : `${folder}/`}${name}.md` as VaultPath;
  const of = view.get(original);
  if (of !== null || Buffer.byteLength(name) < CUT_FROM_BYTES) return { original, of };
  const [only, ...more] = view
    .notes()
    .filter((row) => folderOf(row.path) === folder && row.name.startsWith(name));
  return only === undefined || more.length > 0 ? { original, of } : { original: only.path, of: only };
}
