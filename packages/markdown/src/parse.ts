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

// Notes put together without a pause, so that other work gets its turn within milliseconds.
const NOTES_AT_ONCE = 32;

/**
 * Reads many notes of one vault, in the order given. The parser works off the event loop, on the next notes
 * while these are put together; other work gets its turn in between.
 */
export async function parseNotes(items: readonly ParseItem[], dialect: Dialect): Promise<NoteText[]> {
  const notes: NoteText[] = [];
  let next = startBatch(items, 0);
  for (let at = 0; at < items.length; at += NOTES_AT_ONCE) {
    const { readings, outlines } = next;
    const events = await outlines;
    next = startBatch(items, at + NOTES_AT_ONCE);
    for (const [index, reading] of readings.entries())
      notes.push(assembleNote(items[at + index]!.text, dialect, reading, events[index]!));
  }
  return notes;
}

interface Batch {
  readonly readings: readonly FrontmatterReading[];
  readonly outlines: Promise<readonly OutlineEvents[]>;
}

function startBatch(items: readonly ParseItem[], at: number): Batch {
  const batch = items.slice(at, at + NOTES_AT_ONCE);
  const readings = batch.map((item) => readFrontmatter(item.text));
  const bodies = batch.map((item, index) => bodyOf(item.text, readings[index]!));
  return { readings, outlines: bodies.length === 0 ? Promise.resolve([]) : outlineMany(bodies) };
}

function bodyOf(text: string, { bodyStart }: FrontmatterReading): string {
  return bodyStart === 0 ? text : text.slice(bodyStart);
}
