import type { WalkPosition } from '@grove/history';
import { clip } from '../answers/note-facts.ts';
import { fillPage, jsonBytes } from '../answers/size.ts';
import type { Scope, VaultPast } from '../contract.ts';
import { type CursorSubject, openCursor, sealCursor } from '../cursors/cursor.ts';
import { requireMoment } from '../filters/dates.ts';
import { changeDiff } from '../history/change-diff.ts';
import { isBy, isSurelyNotBy, type KnownCommit, knowCommit, tellCommit } from '../history/told-commit.ts';
import { pastOf, pastRemarks, seesAll, shownPaths } from '../history/visible-past.ts';
import type { HistoryAnswer, ListedChange, ListedCommit, VaultStatusInput } from './contract.ts';
import { historySubject } from './history-subject.ts';

/** Commits of one answer, unless the caller says. */
const LIMIT = 20;
/** What the commits of one answer may take as JSON, and the notes of one commit. */
const COMMITS_BYTES = 18 * 1024;
const NOTES_BYTES = 6 * 1024;
const NOTES = 20;

/**
 * Commits that touched notes of the View, newest first.
 *
 * @throws GroveError `history_unavailable`, `note_not_found`, `note_ambiguous`, `bad_filter`, `bad_cursor`
 */
export async function listHistory(scope: Scope, input: VaultStatusInput): Promise<HistoryAnswer> {
  const { path, since, by, cursor } = input;
  const past = await pastOf(scope);
  const about: CursorSubject = { operation: 'vault_status', input: { mode: 'history', path, since, by } };
  const after = cursor === null ? null : (openCursor(scope, about, cursor) as WalkPosition);
  const subject = historySubject(scope, past, path);
  const isShown = below(subject.folder, shownPaths(scope));
  const now = { now: scope.clock.now(), zone: scope.vault.zone };
  const entries = past.history.walk({
    path: subject.note,
    isShown,
    followRenames: seesAll(scope),
    after,
    mostChanges: NOTES,
    ...(since === null ? {} : { since: requireMoment('since', since, now) }),
  });
  const commits: ListedCommit[] = [];
  let left = COMMITS_BYTES;
  let last: WalkPosition | null = null;
  let more = false;
  for await (const entry of entries) {
    if (by !== null && isSurelyNotBy(scope, by, entry)) continue;
    const known = await knowCommit(scope, past, entry);
    if (by !== null && !isBy(scope, by, known)) continue;
    more = commits.length === (input.limit ?? LIMIT);
    if (more) break;
    const listed = await listCommit(scope, past, known, input.diff);
    left -= jsonBytes(listed);
    more = left < 0 && commits.length > 0;
    if (more) break;
    commits.push(listed);
    last = entry.position;
  }
  return {
    mode: 'history',
    vault: scope.vault.name,
    commits,
    remarks: [
      ...(commits.length === 0 && after === null ? ['No commit is known for that.'] : []),
      ...pastRemarks(scope),
    ],
    ...(more && last !== null ? { cursor: sealCursor(scope, about, last) } : {}),
  };
}

function below(folder: string, isShown: (path: string) => boolean): (path: string) => boolean {
  if (folder === '') return isShown;
  const start = `${folder}/`;
  return (path) => path.normalize('NFC').startsWith(start) && isShown(path);
}

async function listCommit(
  scope: Scope,
  { history }: VaultPast,
  known: KnownCommit,
  withDiff: boolean,
): Promise<ListedCommit> {
  const { commit, changes, changed } = known.entry;
  const notes: ListedChange[] = [];
  for (const change of changes) {
    const diff = withDiff ? await changeDiff(history.store, commit, change) : null;
    notes.push({
      path: clip(change.path, 500),
      change: change.kind,
      ...(change.from === null ? {} : { from: clip(change.from, 500) }),
      ...(diff === null ? {} : { diff: diff.toWellFormed() }),
    });
  }
  return {
    ...tellCommit(scope, known),
    notes: [...fillPage(notes, NOTES_BYTES).items],
    ...(changed > 1 ? { notes_total: changed } : {}),
  };
}
