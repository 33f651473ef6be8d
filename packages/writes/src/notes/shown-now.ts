import type { VaultPath } from '@grove/core';
import { decodeNote, type NoteText } from '@grove/markdown';
import { type JudgedNote, judgedNote } from '@grove/vault';
import type { NoteWriteCaller } from './contract.ts';
import { parseText } from './parse-text.ts';
import { notWritable } from './write-policy.ts';

type Judge = Pick<NoteWriteCaller, 'view' | 'policy'>;

/**
 * Whether the caller's View shows the note at this path as its bytes are now. The View judged those that the catalog
 * knows, and somebody may have written since.
 *
 * @param note the text of the bytes, where it is parsed already
 */
export async function isShownNow(
  { view, policy }: Judge,
  path: VaultPath,
  bytes: Uint8Array,
  note?: NoteText,
): Promise<boolean> {
  if (view.isOwner) return true;
  const row = view.get(path);
  if (row === null || policy.notes === null) return row !== null;
  const parsed = note ?? (await parseText(decodeNote(bytes, path).text, view.dialect, path));
  // Many programs write a file by emptying it first: what it says comes after that.
  if (parsed.words === 0 && row.words > 0) return false;
  return policy.notes.admits(judgedNote(path, parsed));
}

/**
 * Refuses to make of a note what the caller's View would not show.
 *
 * @param asGiven the path as the caller spelled it
 * @throws GroveError `not_writable`
 */
export async function requireShown(
  { view, policy }: Judge,
  path: VaultPath,
  after: Uint8Array,
  asGiven: string,
): Promise<void> {
  if (policy.notes === null) return;
  const note = await parseText(decodeNote(after, path).text, view.dialect, path);
  if (!policy.notes.admits(judgedNote(path, note))) throw notWritable(asGiven);
}

/** Whether a caller may hear what stands in these bytes, which a note had once. */
export function isTellable({ policy }: Judge, path: VaultPath, note: NoteText): boolean {
  const judged: JudgedNote = judgedNote(path, note);
  return policy.notes === null || policy.notes.admits(judged);
}
