import { foldCase, type VaultPath } from '@grove/core';
import { addedRanges, decodeNote, type Range } from '@grove/markdown';
import {
  type LinkSuggestion,
  type Mention,
  type NoteRow,
  suggestLinks,
  type VaultSchema,
  type View,
} from '@grove/vault';
import type { FileNow } from '../engine/contract.ts';
import type { NoteWriteCaller, NoteWriteResult, WriteAction } from './contract.ts';
import { parseText } from './parse-text.ts';
import type { PlannedBatch } from './plan-batch.ts';

/** Most links that an answer suggests. */
const MOST = 3;

const ADDS_TEXT: ReadonlySet<WriteAction> = new Set(['write', 'append', 'prepend', 'replace', 'edit']);

/** What a commit was made on, and who hears of it. */
export interface SuggestionSetting {
  /** As they were before. */
  readonly files: ReadonlyMap<VaultPath, FileNow | null>;
  readonly caller: NoteWriteCaller;
  readonly schema: VaultSchema;
}

/** A note before and after a write, in the View of who wrote. */
interface WrittenNote {
  readonly view: View;
  readonly path: VaultPath;
  /** Null for a note that is new. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
  /** False for notes that nobody means to link to. */
  isWanted(note: NoteRow): boolean;
}

/**
 * Adds to the results of one commit the links that the text which it added could have: names of notes that the caller's
 * View shows, in the new words only. Of several operations on one note the last is told. Costs next to nothing where no
 * name stands in them, and nothing is told to who may not read.
 */
export async function withSuggestions(
  results: readonly NoteWriteResult[],
  { items }: PlannedBatch,
  { files, caller: { view, may }, schema }: SuggestionSetting,
): Promise<NoteWriteResult[]> {
  const lastAt = new Map(results.map(({ path }, at) => [path, at]));
  const told: NoteWriteResult[] = [];
  for (const [at, result] of results.entries()) {
    const { path, action } = result;
    const item = items[at];
    const isTold = may.read && lastAt.get(path) === at && ADDS_TEXT.has(action);
    if (!isTold || item === undefined || 'error' in item) told.push(result);
    else {
      const before = files.get(path)?.bytes ?? null;
      const written = { view, path, before, after: item.note.after.bytes, isWanted: isNoTemplate(schema) };
      told.push({ ...result, suggestions: await suggestionsFor(written) });
    }
  }
  return told;
}

function isNoTemplate({ templates, templateFolder }: VaultSchema): (note: NoteRow) => boolean {
  return ({ path }) => {
    const folded = foldCase(path);
    return !templates.has(folded) && (templateFolder === null || !folded.startsWith(`${templateFolder}/`));
  };
}

async function suggestionsFor(written: WrittenNote): Promise<LinkSuggestion[]> {
  const { view, path, after } = written;
  const row = view.get(path);
  if (row === null) return [];
  const { text } = decodeNote(after, path);
  const before = written.before === null ? null : decodeNote(written.before, path).text;
  const mentions = addedRanges(before, text).flatMap((range) => mentionsIn(text, range, written));
  if (mentions.length === 0) return [];
  const note = await parseText(text, view.dialect, path);
  return suggestLinks({ view, row, note, mentions, most: MOST });
}

function mentionsIn(text: string, range: Range, { view, path, isWanted }: WrittenNote): Mention[] {
  // A name may begin before what was added to it.
  const start = range.start === 0 ? 0 : text.lastIndexOf('\n', range.start - 1) + 1;
  const lineEnd = text.indexOf('\n', range.end);
  return view
    .mentions(text, { start, end: lineEnd < 0 ? text.length : lineEnd })
    .map((mention) => ({ ...mention, notes: mention.notes.filter(isWanted) }))
    .filter(
      ({ start, end, notes }) =>
        start < range.end && end > range.start && notes.length === 1 && notes[0]?.path !== path,
    );
}
