import type { NoteRow, View } from '@grove/vault';
import { clip, oneLine } from '../../answers/note-facts.ts';
import { readIfThere } from '../../notes/read.ts';

/** Lines that are shown of those that only one note has. */
const SHOWN = 3;

/** What only the second of two notes says, as the end of a sentence about it. */
export async function ownLines(view: View, of: NoteRow, copy: NoteRow): Promise<string> {
  const [ours, theirs] = await Promise.all([of, copy].map((row) => readIfThere(view, row)));
  const known = new Set(ours?.note.text.split(/\r?\n/).map((line) => line.trim()));
  const lines = (theirs?.note.text.split(/\r?\n/) ?? []).filter((line) => !known.has(line.trim()));
  if (lines.length === 0) return `every line of it stands in ${of.path}`;
  const shown = lines
    .slice(0, SHOWN)
    .map((line) => `"${clip(oneLine(line), 80)}"`)
    .join(', ');
  return `lines that ${of.path} lacks: ${lines.length}, such as ${shown}. Take over what is wanted of them, then let it go`;
}
