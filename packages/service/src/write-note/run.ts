import { GroveError } from '@grove/core';
import { type BatchItem, isOwnText, type NoteWriteResult } from '@grove/writes';
import { noteFacts, obsidianLink } from '../answers/note-facts.ts';
import { fillPage } from '../answers/size.ts';
import type { Scope } from '../contract.ts';
import { awaitEmbedded } from '../embedding/await-embedded.ts';
import { toErrorPayload } from '../errors/payload.ts';
import { boundedResults } from './bounded-results.ts';
import { writeCaller } from './caller.ts';
import type { WriteNoteAnswer, WriteNoteItem, WriteNoteResult } from './output.ts';
import type { WriteNoteInput } from './parse.ts';
import { shownRevisions } from './shown-revisions.ts';

/**
 * Changes notes. What is answered survives a power cut, and is found by a search that comes after it.
 *
 * @throws GroveError `writes_off`, `writes_unavailable`, `history_not_shared`, and what refuses the operation or the batch
 */
export async function runWriteNote(scope: Scope, input: WriteNoteInput): Promise<WriteNoteAnswer> {
  const { caller, notes } = writeCaller(scope);
  const { wait, ...wish } = input;
  if (scope.isTrail && input.operations.some(({ action }) => action === 'restore'))
    throw new GroveError('history_not_shared');
  const items = await notes.write(caller, {
    ...wish,
    operations: await shownRevisions(scope, input.operations),
  });
  const dryRun = input.dryRun ? { dry_run: true } : {};
  const late = wait === 'embedded' && !input.dryRun ? await embeddedRemarks(scope, items) : [];
  if (input.batch)
    return {
      results: boundedResults(items.map((item, op) => itemOf(scope, item, op))),
      ...dryRun,
      remarks: late,
    };
  const [item] = items;
  if (item === undefined) throw new TypeError('an operation without an answer');
  if ('error' in item) throw item.error;
  const { remarks = [], ...result } = resultOf(scope, item.result);
  return { ...result, ...dryRun, remarks: [...remarks, ...late] };
}

async function embeddedRemarks(scope: Scope, items: readonly BatchItem[]): Promise<string[]> {
  // Of notes that a key may not read it hears nothing, as elsewhere.
  const rows = items.flatMap((item) => {
    const row = 'error' in item ? null : scope.view.get(item.result.path);
    return row === null ? [] : [row];
  });
  const remark = rows.length === 0 ? null : await awaitEmbedded(scope, rows);
  return remark === null ? [] : [remark];
}

/** Bytes of JSON for the notes whose links a move mended; the others are counted. */
const MENDED_BYTES = 4 * 1024;

function itemOf(scope: Scope, item: BatchItem, op: number): WriteNoteItem {
  return 'error' in item
    ? { op, error: toErrorPayload(item.error) }
    : { op, ...resultOf(scope, item.result) };
}

function resultOf(scope: Scope, done: NoteWriteResult): WriteNoteResult {
  const result = scope.may.read ? done : withoutWhatIsThere(done);
  const row = scope.view.get(result.path);
  const facts =
    row === null || !scope.may.read
      ? { path: result.path, link: obsidianLink(scope.vault.name, result.path) }
      : noteFacts(scope, row);
  const mended = fillPage(result.mended, MENDED_BYTES).items;
  const more = result.mended.length - mended.length;
  const remarks = [
    ...result.remarks,
    ...(more > 0 ? [`Links were written anew in ${more} more notes.`] : []),
  ];
  const lists = { matches: result.matches, applied: result.applied, skipped: result.skipped };
  return {
    action: result.action,
    ...facts,
    ...present({
      created: result.created || undefined,
      already_there: result.alreadyThere || undefined,
      merged: result.merged || undefined,
      replayed: result.replayed || undefined,
      commit: result.commit ?? undefined,
      source_hash: result.sourceHash ?? undefined,
      content_hash: result.contentHash ?? undefined,
      size_before: result.sizeBefore ?? undefined,
      size_after: result.sizeAfter ?? undefined,
      diff: result.diff || undefined,
      moved_from: result.movedFrom ?? undefined,
      undo: scope.isTrail && result.undo?.action === 'restore' ? undefined : (result.undo ?? undefined),
    }),
    ...(mended.length === 0 ? {} : { mended: [...mended] }),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    ...(result.suggestions.length === 0 ? {} : { suggestions: [...result.suggestions] }),
    ...(result.conflictSaved.length === 0 ? {} : { conflict_saved: [...result.conflictSaved] }),
    ...(remarks.length === 0 ? {} : { remarks }),
  };
}

/** Sizes and hashes of what the caller did not write, and names of other notes, tell of what may not be read. */
function withoutWhatIsThere(result: NoteWriteResult): NoteWriteResult {
  const hidden = isOwnText(result) ? {} : { sourceHash: null, contentHash: null, sizeAfter: null };
  return { ...result, ...hidden, sizeBefore: null, mended: [], remarks: [] };
}

/** Without what is undefined: absent is not the same as there and undefined. */
function present<T extends object>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: NonNullable<T[Name]>;
  };
}
