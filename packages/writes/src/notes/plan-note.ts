import { contentHash, GroveError, isGroveError, type VaultPath } from '@grove/core';
import {
  decodeNote,
  editFrontmatter,
  mergeTexts,
  type NoteText,
  type Patience,
  shortDiff,
} from '@grove/markdown';
import { isOnlyLinked } from '../discovery/added-links.ts';
import { unlinkedFor } from '../discovery/shown-text.ts';
import type { FileNow } from '../engine/contract.ts';
import { type ChangedText, type ChangeSetting, changeText } from './change-text.ts';
import type { NoteOperation, NoteWriteCaller, NoteWriteResult } from './contract.ts';
import { withDefinitions } from './definitions.ts';
import { checkNoteSize } from './limits.ts';
import { parseText } from './parse-text.ts';
import { judgeHash } from './preconditions.ts';
import { isShownNow, isTellable } from './shown-now.ts';
import type { WriteTarget } from './target.ts';
import { notWritable } from './write-policy.ts';

/** An operation that was found fit to be tried: what it names is known, and nothing of it was read yet. */
export interface PreparedOperation {
  /** Its place in the call, from 0. */
  readonly index: number;
  readonly operation: NoteOperation;
  readonly target: WriteTarget;
  /** What a note that is not there yet begins with, of a day or of a type; null when it has no template. */
  readonly template: string | null;
  /** `HH:MM` in the vault's zone. */
  readonly time: string;
  /** Where a move goes; null for every other action. */
  readonly destination: VaultPath | null;
}

/** What one operation meets inside the critical section. */
export interface PlanSetting {
  readonly caller: NoteWriteCaller;
  readonly file: FileNow | null;
  /** True when an earlier operation of the same commit made it. */
  readonly isOurs: boolean;
  /** The hash that must still hold, with `ifHashFromOp` looked up; `*` for any. */
  readonly ifHash: string | null;
  /** Hashes that the file had before earlier operations of the same batch. */
  readonly also: ReadonlySet<string>;
  readonly merge: boolean;
  readonly diffBytes: number;
  /** What the regular expressions of the call may still take. */
  readonly patience: Patience;
  /** See {@link ChangeSetting.slowly}. */
  slowly: ChangeSetting['slowly'];
  /** Bytes that had this hash at the path, out of git. */
  baseOf(hash: string): Promise<Uint8Array | null>;
  /** Bytes whose hash is the source hash of the file, from before Grove's last change of its own to it. */
  sourceOf(): Promise<Uint8Array | null>;
  /** False when the caller appended the same text there just now. */
  beginAppend(isGone: boolean): boolean;
}

/** What an operation comes to: the file as it will be, and what is told of it. */
export interface PlannedNote {
  /** Equal to `file` when nothing changes. */
  readonly after: FileNow;
  readonly changed: boolean;
  readonly told: ToldOfNote;
}

/** The part of a result that is known before anything is written. JSON. */
export type ToldOfNote = Pick<
  NoteWriteResult,
  | 'created'
  | 'alreadyThere'
  | 'merged'
  | 'sizeBefore'
  | 'sizeAfter'
  | 'diff'
  | 'matches'
  | 'applied'
  | 'skipped'
  | 'remarks'
>;

/**
 * Judges one operation on the bytes of now and says what the note becomes. Pure.
 *
 * @throws GroveError `note_not_found`, `note_exists`, `note_not_text`, `hash_required`, `stale_hash`, `scope_missing`,
 * `not_writable`, `note_would_be_too_large`, and what the edits of `@grove/markdown` throw
 */
export async function planNote(prepared: PreparedOperation, setting: PlanSetting): Promise<PlannedNote> {
  const { operation, target } = prepared;
  const { file } = setting;
  return file === null
    ? planned(prepared, setting, null, await create(prepared, setting))
    : await change({ operation, target, prepared, setting, file });
}

async function create(
  prepared: PreparedOperation,
  { caller, ifHash, patience, slowly }: PlanSetting,
): Promise<ChangedText> {
  const { operation, target, template, time } = prepared;
  const { path } = target;
  if (target.row !== null) throw new GroveError('note_not_found', { path });
  if (ifHash !== null) throw new GroveError('stale_hash', { path, reason: 'there is no note at that path' });
  if (target.periodic === null && template === null) requireContent(operation);
  if (target.periodic === null && !isCreating(operation)) throw new GroveError('note_not_found', { path });
  const note = template === null ? null : await parseText(template, caller.view.dialect, path);
  if (note !== null && operation.action === 'write' && operation.content === null)
    return editFrontmatter(note, { set: operation.frontmatter ?? {}, unset: [], path });
  // Nothing of anybody's is lost where the rest of a template is not wanted.
  return await changeText({ ...operation, overwrite: true }, note, {
    path,
    time,
    dialect: caller.view.dialect,
    patience,
    slowly,
  });
}

interface Change {
  readonly operation: NoteOperation;
  readonly target: WriteTarget;
  readonly prepared: PreparedOperation;
  readonly setting: PlanSetting;
  readonly file: FileNow;
}

async function change({ operation, target, prepared, setting, file }: Change): Promise<PlannedNote> {
  const { caller, ifHash, also } = setting;
  const { path } = target;
  // A file that the View does not show is none for its caller, who may not put one in its place either.
  if (!setting.isOurs && !(await isShownNow(caller, path, file.bytes)))
    throw target.row === null ? notWritable(operation.path) : new GroveError('note_not_found', { path });
  requireContent(operation);
  if (operation.createOnly) throw new GroveError('note_exists', { path });
  if (!caller.may.write && operation.action === 'write')
    throw new GroveError('scope_missing', { scope: 'write' });
  const { text } = decodeNote(file.bytes, path);
  const note = await parseText(text, caller.view.dialect, path);
  if (judgeHash(operation, ifHash, { path, file, note, also }) === 'stale')
    return planned(prepared, setting, text, await merge(prepared, setting, text), true);
  // Who may not read would learn what stands there from being told that it does.
  const told = caller.may.read ? operation : { ...operation, repeat: true };
  const ground = {
    path,
    time: prepared.time,
    dialect: caller.view.dialect,
    patience: setting.patience,
    slowly: setting.slowly,
  };
  if (isAppend(told) && (await wasThere(told, { file, text, ground, sourceOf: setting.sourceOf })))
    return planned(prepared, setting, text, { text, alreadyThere: true, remarks: [] });
  const changed = await changeText(told, note, ground);
  if (!caller.may.write && !isInsertion(text, changed.text))
    throw new GroveError('scope_missing', { scope: 'write' });
  // Whoever took the words out meanwhile leaves nothing that a second call would double.
  const isGone = caller.may.read && !holdsWords(text, operation.content ?? '');
  if (isAppend(operation) && !changed.alreadyThere && !operation.repeat && !setting.beginAppend(isGone))
    return planned(prepared, setting, text, {
      text,
      alreadyThere: true,
      remarks: [
        'The same text was appended here by you within the last two minutes; send repeat to append it again.',
      ],
    });
  // Titles of other notes are for who may read them.
  if (changed.text === text || !caller.may.read) return planned(prepared, setting, text, changed);
  const whole = await withDefinitions(changed.text, caller.view.get(path), caller.view);
  return planned(prepared, setting, text, { ...changed, text: whole });
}

/**
 * The change made to the text that the caller knew, put together with what the note has become since.
 *
 * @throws GroveError `stale_hash` with a diff of what happened meanwhile, when that cannot be
 */
async function merge(
  { operation, target, time }: PreparedOperation,
  { caller, ifHash, merge, baseOf, patience, slowly }: PlanSetting,
  now: string,
): Promise<ChangedText> {
  const { path } = target;
  const base = ifHash === null ? null : await baseOf(ifHash);
  const known = base === null ? null : await tellable(base, path, caller);
  const stale = (): GroveError =>
    new GroveError('stale_hash', {
      path,
      reason: known === null ? 'its hash is another one now' : 'it was changed after that',
      ...(known === null || !caller.may.read ? {} : { diff: shortDiff(known, now, STALE_DIFF_BYTES) }),
    });
  if (known === null || !merge || (operation.action !== 'write' && operation.action !== 'replace'))
    throw stale();
  const ours = await changedFrom(operation, await parseText(known, caller.view.dialect, path), {
    path,
    time,
    dialect: caller.view.dialect,
    patience,
    slowly,
  });
  const merged = ours === null ? null : mergeTexts(known, ours.text, now);
  if (ours === null || merged === null) throw stale();
  return { ...ours, text: merged, alreadyThere: merged === now };
}

const STALE_DIFF_BYTES = 512;

/** The text of these bytes; null for what the caller would not be shown if it were the note of now. */
async function tellable(bytes: Uint8Array, path: VaultPath, caller: NoteWriteCaller): Promise<string | null> {
  const { text } = decodeNote(bytes, path);
  const note = await parseText(text, caller.view.dialect, path);
  return isTellable(caller, path, note) ? text : null;
}

/** Null when the section is not there in what the caller knew: then the hash was of something else. */
async function changedFrom(
  operation: NoteOperation,
  known: NoteText,
  setting: ChangeSetting,
): Promise<ChangedText | null> {
  try {
    return await changeText(operation, known, setting);
  } catch (error) {
    if (isGroveError(error, 'section_not_found') || isGroveError(error, 'section_ambiguous')) return null;
    throw error;
  }
}

function planned(
  { target }: PreparedOperation,
  { caller, file, diffBytes }: PlanSetting,
  before: string | null,
  { text, alreadyThere, remarks, matches = [], applied = [], skipped = [] }: ChangedText,
  merged = false,
): PlannedNote {
  if (!text.isWellFormed()) throw new GroveError('bad_input', { reason: 'the text holds half a character' });
  const bytes = Buffer.from(text, 'utf8');
  checkNoteSize(target.path, file?.bytes.byteLength ?? null, bytes.byteLength);
  const changed = before === null || text !== before;
  const hash = contentHash(bytes);
  const after: FileNow =
    file !== null && !changed
      ? file
      : {
          bytes,
          contentHash: hash,
          sourceHash: hash,
          diskPath: file?.diskPath ?? target.path,
          access: file?.access ?? null,
        };
  return {
    after,
    changed,
    told: {
      created: before === null,
      alreadyThere: alreadyThere && !changed,
      merged,
      sizeBefore: file?.bytes.byteLength ?? null,
      sizeAfter: bytes.byteLength,
      diff: changed && caller.may.read ? shortDiff(before ?? '', text, diffBytes) : '',
      matches,
      applied,
      skipped,
      remarks: [...target.remarks, ...remarks],
    },
  };
}

/** Only a periodic note can be made of nothing but its template. */
function requireContent({ action, content, frontmatter }: NoteOperation): void {
  if (action === 'write' && content === null && frontmatter === null)
    throw new GroveError('bad_input', { name: 'content', reason: '"content" is missing' });
}

function isCreating({ action }: NoteOperation): boolean {
  return action === 'write' || isAppend({ action });
}

function isAppend({ action }: Pick<NoteOperation, 'action'>): boolean {
  return action === 'append' || action === 'prepend';
}

interface Linked {
  readonly file: FileNow;
  readonly text: string;
  readonly ground: ChangeSetting;
  readonly sourceOf: PlanSetting['sourceOf'];
}

/** True when the words of an append are at their place in a note as it was before Grove added links to it, and no more. */
async function wasThere(
  operation: NoteOperation,
  { file, text, ground, sourceOf }: Linked,
): Promise<boolean> {
  const { path, dialect } = ground;
  const source = file.sourceHash === file.contentHash ? null : await sourceOf();
  const before = source === null ? null : decodeNote(source, path).text;
  if (before === null || !isOnlyLinked(before, text)) return false;
  try {
    return (await changeText(operation, await parseText(before, dialect, path), ground)).alreadyThere;
  } catch (error) {
    // Told by the change itself.
    if (isGroveError(error)) return false;
    throw error;
  }
}

/**
 * True when each line of a text still stands somewhere in a note, indented or behind a time perhaps, or with links to
 * notes where it has names.
 */
function holdsWords(text: string, content: string): boolean {
  return hasLines(text, content) || hasLines(unlinkedFor(content, text), content);
}

function hasLines(text: string, content: string): boolean {
  return content.split('\n').every((line) => text.includes(line.trim()));
}

/** True when every byte that was there is still there, in one or two runs. */
function isInsertion(before: string, after: string): boolean {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  return after.length >= before.length && after.endsWith(before.slice(same));
}
