import { type OutlineEvents, outline, outlineAsync, outlineMany } from '@grove/native';
import { assembleNote } from './assemble.ts';
import { type FrontmatterReading, readFrontmatter } from './frontmatter/read.ts';
import type { Dialect, NoteText } from './model.ts';

/** How a note is to be read. */
export interface ParseOptions {
  readonly dialect: Dialect;
  /** The note's path in its vault: only named in errors. */
  readonly path: string;
}

/** One note of a batch. */
export interface ParseItem {
  readonly text: string;
  readonly path: string;
}

/**
 * Reads what a note's text holds, on the calling thread: for texts up to 64 KB; see {@link parseNoteAsync}
 * for longer ones. `text` is the whole file as {@link decodeNote} gives it. Never throws for any text.
 *
 * @example parseNote('# Plan\nSee [[Grove]] #idea', { dialect: 'obsidian', path: 'Plan.md' }).title // 'Plan'
 */
export function parseNote(text: string, options: ParseOptions): NoteText {
  const reading = readFrontmatter(text);
  return assembleNote(text, options.dialect, reading, outline(bodyOf(text, reading)));
}

/** {@link parseNote} for a text of any size: the parser runs off the event loop. */
export async function parseNoteAsync(text: string, options: ParseOptions): Promise<NoteText> {
  const reading = readFrontmatter(text);
  return assembleNote(text, options.dialect, reading, await outlineAsync(bodyOf(text, reading)));
}

/** Reads many notes of one vault, in the order given. */
export async function parseNotes(items: readonly ParseItem[], dialect: Dialect): Promise<NoteText[]> {
  const readings = items.map((item) => readFrontmatter(item.text));
  const bodies = items.map((item, index) => bodyOf(item.text, readings[index]!));
  const outlines: readonly OutlineEvents[] = await outlineMany(bodies);
  return items.map((item, index) => assembleNote(item.text, dialect, readings[index]!, outlines[index]!));
}

function bodyOf(text: string, { bodyStart }: FrontmatterReading): string {
  return bodyStart === 0 ? text : text.slice(bodyStart);
}
