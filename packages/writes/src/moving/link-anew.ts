import type { Link, NoteText } from '@grove/markdown';
import type { NoteRow, View } from '@grove/vault';
import { joinPath, targetForms } from './target-forms.ts';
import { findWrittenTarget, writeTarget } from './written-target.ts';

/** A link as it is written in the text of its note, and as it leads to another one. */
export interface LinkAnew {
  readonly before: string;
  readonly after: string;
}

/**
 * A link written anew so that it leads to `to`, in the style in which it is written, its heading and label kept; null
 * where no target would lead there, or the target is not written at this link.
 */
export function linkAnew(
  view: View,
  {
    from,
    note,
    link,
    to,
  }: { readonly from: NoteRow; readonly note: NoteText; readonly link: Link; readonly to: NoteRow },
): LinkAnew | null {
  const written = findWrittenTarget(note.text, link, note.dialect);
  if (written === null) return null;
  const place = {
    link,
    dialect: note.dialect,
    fromBefore: from.path,
    from: from.path,
    toBefore: joinPath(from.path, link.target) as NoteRow['path'],
    to,
    isOnlyName: true,
  };
  const target = targetForms(place).find(
    (form) =>
      canBeWritten(form, link) && view.resolveLink({ kind: link.kind, target: form }, from)?.id === to.id,
  );
  if (target === undefined) return null;
  const source = writeTarget(target, note.text.slice(written.start, written.end), written);
  const before = note.text.slice(link.start, link.end);
  const [start, end] = [written.start - link.start, written.end - link.start];
  return { before, after: before.slice(0, start) + source + before.slice(end) };
}

/** In a wikilink nothing can be escaped. */
function canBeWritten(target: string, { kind }: Link): boolean {
  return kind === 'markdown' || kind === 'image' || kind === 'definition' || !/[#^|[\]]/.test(target);
}
