import type { Dialect, NoteText } from '../model.ts';
import { parseNote } from '../parse.ts';

/** A text that is to become part of a note, read as its body: a `---` that opens it is no frontmatter. */
export interface ParsedContent {
  readonly note: NoteText;
  /** To be taken off the note's offsets. */
  readonly shift: number;
}

/** Reads a content's headings, lists and blocks. */
export function parseContent(content: string, dialect: Dialect): ParsedContent {
  return { note: parseNote(`\n${content}`, { dialect, path: '' }), shift: 1 };
}
