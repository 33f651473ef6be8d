import type { NoteText } from '../model.ts';

/** What a change makes of a note. */
export interface EditResult {
  /** The whole new text; the old one when nothing was to do. */
  readonly text: string;
  /** True when the note held already what was asked for, so that nothing changes. */
  readonly alreadyThere: boolean;
  /** What the caller should know, each a sentence. */
  readonly remarks: readonly string[];
}

/** The result of a change that leads from a note to a text. */
export function resultOf(note: NoteText, text: string, remarks: readonly string[] = []): EditResult {
  return { text, alreadyThere: text === note.text, remarks };
}
