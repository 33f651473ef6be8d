import { GroveError } from '@grove/core';
import type { NoteRow } from '@grove/vault';
import { clip } from '../answers/note-facts.ts';
import type { Scope, VaultPast } from '../contract.ts';
import { parseMoment } from '../filters/dates.ts';
import { type FoundCommit, findCommit } from './find-commit.ts';
import { nameInHistory } from './name-in-history.ts';
import { shownWalk } from './visible-past.ts';

/** A note as one commit has it. */
export interface NoteRevision {
  readonly commit: string;
  /** Author time in milliseconds. */
  readonly time: number;
  /** What the note was called then. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * Finds a note in the past. `revision` is a commit as {@link findCommit} takes it, `previous` (before the newest
 * commit that changed the note), or a moment (`2026-11-01`, `7d`): the note as it was then. The note is followed
 * through its exact renames. What a caller sees a part of is judged there too: a commit that changed nothing it sees is
 * none, and neither is a path that it does not see now.
 *
 * @throws GroveError `revision_not_found`; `bad_input` where several commits begin so
 */
export async function findRevision(
  scope: Scope,
  past: VaultPast,
  row: NoteRow,
  revision: string,
): Promise<NoteRevision> {
  const asked = revision.trim();
  const name = nameInHistory(past, row);
  const target = await findCommit(scope, past, asked);
  const found =
    target === null ? await byTime(scope, past, name, asked) : await atCommit(scope, past, name, target);
  if (found !== null) return found;
  throw new GroveError('revision_not_found', { path: clip(row.path, 200), revision: clip(asked, 100) });
}

/** The note in the tree of a commit, by the name that it had there. */
async function atCommit(
  scope: Scope,
  { history }: VaultPast,
  name: string,
  { commit, time, place }: FoundCommit,
): Promise<NoteRevision | null> {
  let path = name;
  for await (const entry of history.walk({ path: name, ...shownWalk(scope) })) {
    const [known] = history.commitsNamed(entry.commit, 1);
    if (known === undefined || known.place <= place) break;
    path = entry.changes[0]?.from ?? path;
  }
  const blob = await history.store.blobAt(commit, path);
  return blob === null ? null : { commit, time, path, bytes: blob.bytes };
}

async function byTime(
  scope: Scope,
  { history }: VaultPast,
  name: string,
  asked: string,
): Promise<NoteRevision | null> {
  const isPrevious = asked.toLowerCase() === 'previous';
  const moment = parseMoment(asked, { now: scope.clock.now(), zone: scope.vault.zone });
  if (!isPrevious && moment === null) return null;
  let newer = 0;
  for await (const { commit, time, changes } of history.walk({ path: name, ...shownWalk(scope) })) {
    const [change] = changes;
    const fits = isPrevious ? newer === 1 : moment !== null && time <= moment;
    newer += 1;
    if (!fits || change === undefined) continue;
    // It was gone then.
    if (change.kind === 'deleted') return null;
    return { commit, time, path: change.path, bytes: await history.store.readBlob(change.blob) };
  }
  return null;
}
