import { Slices } from '@grove/core';
import { type OutlineEvents, outline, outlineAsync, outlineMany } from '@grove/native';
import { assembleNote, type NoteSource } from './assemble.ts';
import { outdentBullets } from './dialects/logseq-indentation.ts';
import { readFrontmatter } from './frontmatter/read.ts';
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
 * Reads what a note's text holds, on the calling thread: for texts up to 16 KB; see {@link parseNoteAsync}
 * for longer ones. `text` is the whole file as {@link decodeNote} gives it. Never throws for any text.
 *
 * @example parseNote('# Plan\nSee [[Grove]] #idea', { dialect: 'obsidian', path: 'Plan.md' }).title // 'Plan'
 */
export function parseNote(text: string, options: ParseOptions): NoteText {
  const prepared = prepare(text, options.dialect);
  return assembleNote(prepared, outline(prepared.outlined));
}

/** {@link parseNote} for a text of any size: the parser runs off the event loop. */
export async function parseNoteAsync(text: string, options: ParseOptions): Promise<NoteText> {
  const prepared = prepare(text, options.dialect);
  return assembleNote(prepared, await outlineAsync(prepared.outlined));
}

// Notes handed to the parser at a time.
const NOTES_AT_ONCE = 32;

/**
 * Reads many notes of one vault, in the order given. The parser works off the event loop, on the next notes
 * while these are put together; other work gets its turn in between.
 */
export async function parseNotes(items: readonly ParseItem[], dialect: Dialect): Promise<NoteText[]> {
  const notes: NoteText[] = [];
  const slices = new Slices();
  let next = await startBatch(items, 0, dialect, slices);
  for (let at = 0; at < items.length; at += NOTES_AT_ONCE) {
    const { prepared, outlines } = next;
    const events = await outlines;
    next = await startBatch(items, at + NOTES_AT_ONCE, dialect, slices);
    for (const [index, note] of prepared.entries()) {
      if (slices.spent) await slices.rest();
      notes.push(assembleNote(note, events[index]!));
    }
  }
  return notes;
}

interface Batch {
  readonly prepared: readonly PreparedNote[];
  readonly outlines: Promise<readonly OutlineEvents[]>;
}

/** A note before its outline, with the text that the parser is given for its body. */
interface PreparedNote extends NoteSource {
  readonly outlined: string;
}

async function startBatch(
  items: readonly ParseItem[],
  at: number,
  dialect: Dialect,
  slices: Slices,
): Promise<Batch> {
  const prepared: PreparedNote[] = [];
  for (const { text } of items.slice(at, at + NOTES_AT_ONCE)) {
    if (slices.spent) await slices.rest();
    prepared.push(prepare(text, dialect));
  }
  const bodies = prepared.map((note) => note.outlined);
  const outlines = bodies.length === 0 ? Promise.resolve([]) : outlineMany(bodies);
  // Awaited only after the notes before these: until then a failure must not count as unhandled.
  outlines.catch(() => {});
  return { prepared, outlines };
}

function prepare(text: string, dialect: Dialect): PreparedNote {
  const reading = readFrontmatter(text);
  const body = reading.bodyStart === 0 ? text : text.slice(reading.bodyStart);
  if (dialect !== 'logseq') return { text, dialect, reading, outlined: body, offsets: null };
  const { text: outlined, offsets } = outdentBullets(body);
  return { text, dialect, reading, outlined, offsets };
}
