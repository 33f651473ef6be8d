import { contentHash, GroveError, parseVaultPath } from '@grove/core';
import type { LogChange } from '@grove/history';
import type { NoteRow } from '@grove/vault';
import { clip } from '../answers/note-facts.ts';
import type { Scope, VaultPast } from '../contract.ts';
import { findCommit } from '../history/find-commit.ts';
import { pastOf, shownWalk } from '../history/visible-past.ts';
import { writeNote } from '../write-note/operation.ts';
import type { WriteNoteAnswer } from '../write-note/output.ts';

/** What one commit did to one note. */
export interface ChangeToUndo {
  /** Its id. */
  readonly commit: string;
  /** Of the note after the commit; before it, for a note that it deleted. */
  readonly path: string;
}

/**
 * Takes back what one commit did to one note, by the call of `write_note` that does so: the text of before comes back, a
 * new note goes to the trash, a deleted or renamed one returns. Only while the note is as the commit left it, so that
 * nobody's later words go.
 *
 * @param scope of the owner; its `confirm` answers where deletions are asked about
 * @throws GroveError `stale_hash` when the note was changed since; `revision_not_found`; `scope_missing`; the errors of
 * `write_note`
 * @example await undoChange(scope, { commit, path: 'Compost.md' });
 */
export async function undoChange(scope: Scope, { commit, path }: ChangeToUndo): Promise<WriteNoteAnswer> {
  const { principal, may } = scope;
  if (principal.kind !== 'owner' || !may.write) throw new GroveError('scope_missing', { scope: 'admin' });
  const past = await pastOf(scope);
  const found = await findCommit(scope, past, commit);
  const change = found === null ? null : await changeOf(scope, past, found.commit, path);
  if (found === null || change === null)
    throw new GroveError('revision_not_found', { path: clip(path, 200), revision: clip(commit, 100) });
  const call = await callToUndo(scope, past, found.commit, change);
  const reason = `Undo ${found.commit.slice(0, 12)}`;
  return await writeNote.run(scope, writeNote.parse({ ...call, merge: false, reason }));
}

async function changeOf(
  scope: Scope,
  { history }: VaultPast,
  commit: string,
  path: string,
): Promise<LogChange | null> {
  for await (const entry of history.walk({ path, ...shownWalk(scope) }))
    if (entry.commit === commit) return entry.changes.find((change) => change.path === path) ?? null;
  return null;
}

async function callToUndo(
  scope: Scope,
  past: VaultPast,
  commit: string,
  { kind, path, from }: LogChange,
): Promise<object> {
  const before = { revision: `${commit}^` };
  if (kind === 'deleted') return { action: 'restore', path, from: before };
  const row = await rowAsLeft(scope, past, commit, path);
  const call = { path: row.path, if_hash: scope.sourceHash(row) };
  if (kind === 'added') return { action: 'delete', ...call };
  return from === null ? { action: 'restore', from: before, ...call } : { action: 'move', to: from, ...call };
}

/** The note, which is as the commit left it, but for links that Grove added: those keep its source hash. */
async function rowAsLeft(
  scope: Scope,
  { history }: VaultPast,
  commit: string,
  path: string,
): Promise<NoteRow> {
  const row = scope.view.get(parseVaultPath(path));
  if (row === null) throw changedSince(path, 'it is not there any more');
  const left = await history.store.blobAt(commit, path);
  const hashes = [row.contentHash, scope.sourceHash(row)];
  if (left === null || !hashes.includes(contentHash(left.bytes)))
    throw changedSince(path, 'it was changed after that');
  return row;
}

function changedSince(path: string, reason: string): GroveError {
  return new GroveError(
    'stale_hash',
    { path: clip(path, 200), reason },
    { hint: 'Undo the later changes first, or bring an earlier revision back with "grove restore".' },
  );
}
