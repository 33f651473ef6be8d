import type { VaultPath } from '@grove/core';
import { addedRanges, decodeNote, type Range } from '@grove/markdown';
import type { Mention, VaultSchema, View } from '@grove/vault';
import type { Discovery, LinkSuggestion } from '../discovery/contract.ts';
import { findLinks, mentionsOf, told } from '../discovery/find-links.ts';
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
  readonly discovery: Discovery;
}

/** A note before and after a write, in the View of who wrote. */
interface WrittenNote {
  readonly view: View;
  readonly path: VaultPath;
  /** Null for a note that is new. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
  readonly schema: VaultSchema;
  readonly discovery: Discovery;
}

/**
 * Adds to the results of one commit the links that the text which it added could have: names of notes that the caller's
 * View shows, in the new words only. Of several operations on one note the last is told. Costs next to nothing where no
 * name stands in them, and nothing is told to who may not read, nor where Grove adds the links itself: whoever followed
 * them would write into a link that is there already.
 */
export async function withSuggestions(
  results: readonly NoteWriteResult[],
  { items }: PlannedBatch,
  { files, caller: { view, may }, schema, discovery }: SuggestionSetting,
): Promise<readonly NoteWriteResult[]> {
  if (!may.read || discovery.setting() !== 'suggest') return results;
  const lastAt = new Map(results.map(({ path }, at) => [path, at]));
  const answers: NoteWriteResult[] = [];
  for (const [at, result] of results.entries()) {
    const { path, action } = result;
    const item = items[at];
    const isTold = lastAt.get(path) === at && addsText(action);
    if (!isTold || item === undefined || 'error' in item) answers.push(result);
    else {
      const before = files.get(path)?.bytes ?? null;
      const written = { view, path, before, after: item.note.after.bytes, schema, discovery };
      answers.push({ ...result, suggestions: await suggestionsFor(written) });
    }
  }
  return answers;
}

/** True for what puts words into a note. */
export function addsText(action: WriteAction): boolean {
  return ADDS_TEXT.has(action);
}

async function suggestionsFor(written: WrittenNote): Promise<LinkSuggestion[]> {
  const { view, path, after, discovery } = written;
  const row = view.get(path);
  if (row === null) return [];
  const { text } = decodeNote(after, path);
  const before = written.before === null ? null : decodeNote(written.before, path).text;
  const mentions = addedRanges(before, text).flatMap((range) => mentionsIn(text, range, written));
  if (mentions.length === 0) return [];
  const note = await parseText(text, view.dialect, path);
  const found = await findLinks({
    view,
    row,
    note,
    mentions,
    most: MOST,
    discovery,
    ifUnknown: 'rare',
    mayLink: () => true,
  });
  return found.map(told);
}

function mentionsIn(text: string, range: Range, written: WrittenNote): Mention[] {
  // A name may begin before what was added to it.
  const start = range.start === 0 ? 0 : text.lastIndexOf('\n', range.start - 1) + 1;
  const lineEnd = text.indexOf('\n', range.end);
  return mentionsOf(text, { start, end: lineEnd < 0 ? text.length : lineEnd }, written).filter(
    (mention) => mention.start < range.end && mention.end > range.start,
  );
}
