import type { NoteRow, View } from '@grove/vault';
import { perGeneration } from '../per-generation.ts';

/** Notes without a word, a task or a link in their text, by path; what does not parse may hold some. */
export const emptyNotes = perGeneration((view: View): readonly NoteRow[] =>
  view.notes().filter((row) => row.words === 0 && !row.hasTasks && isReadable(row) && !hasLinks(view, row)),
);

/** True for a note whose properties can be read, or that has none. */
export function isReadable({ frontmatterStatus }: NoteRow): boolean {
  return frontmatterStatus !== 'broken' && frontmatterStatus !== 'unclosed';
}

/** Notes whose properties cannot be read, by path. */
export const unreadableProperties = perGeneration((view: View): readonly NoteRow[] =>
  view.notes().filter((row) => !isReadable(row)),
);

function hasLinks(view: View, row: NoteRow): boolean {
  return view.targetIds(row).length > 0 || view.missingTargets(row).length > 0;
}
