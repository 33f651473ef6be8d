import { type Dialect, type NoteText, parseNote, parseNoteAsync } from '@grove/markdown';

/** Longer notes are parsed off the event loop, in UTF-16 units. */
const SMALL = 16 * 1024;

/** Reads the text of a note, wherever that takes the least time. */
export async function parseText(text: string, dialect: Dialect, path: string): Promise<NoteText> {
  return text.length <= SMALL
    ? parseNote(text, { dialect, path })
    : await parseNoteAsync(text, { dialect, path });
}
