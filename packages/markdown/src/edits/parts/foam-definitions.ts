import type { NoteText } from '../../model.ts';
import { isCovered } from '../../outline/text-runs.ts';

// A link reference definition that is no footnote; the two marks of Foam's generated list have this form too.
const DEFINITION = /^ {0,3}\[(?!\^)[^\]]+\]:[ \t]*\S/;

/**
 * Where the link reference definitions that end a note of Foam start; the end of the text in other notes.
 * What is added to the note goes before them.
 */
export function definitionsStart(note: NoteText): number {
  const { text, lineStarts, literals, bodyStart } = note;
  if (note.dialect !== 'foam') return text.length;
  let start = text.length;
  for (let index = lineStarts.length - 1; index >= 0; index -= 1) {
    const from = lineStarts[index]!;
    if (from < bodyStart) break;
    const line = text.slice(from, lineStarts[index + 1] ?? text.length);
    if (line.trim() === '') continue;
    if (!DEFINITION.test(line) || isCovered(literals, from)) break;
    start = from;
  }
  return start;
}
