import { isGroveError } from '@grove/core';
import type { NoteRow } from '@grove/vault';
import { clip } from '../answers/note-facts.ts';
import { fillPage } from '../answers/size.ts';
import type { Scope } from '../contract.ts';
import { nameInHistory } from '../history/name-in-history.ts';
import { knowCommit, tellCommit } from '../history/told-commit.ts';
import { pastOf, pastRemarks, shownWalk } from '../history/visible-past.ts';
import type { GetBounds } from './bounds.ts';
import type { GetAnswer, NoteCommit } from './contract.ts';

/** The newest commits that changed a note, as many as fit; a history that cannot be read is only remarked. */
export async function listNoteHistory(
  scope: Scope,
  row: NoteRow,
  { commits }: Pick<GetBounds, 'commits'>,
  listBytes: number,
): Promise<{ readonly answer: Pick<GetAnswer, 'history'>; readonly remarks: readonly string[] }> {
  try {
    const past = await pastOf(scope);
    const told: NoteCommit[] = [];
    let more = false;
    const entries = past.history.walk({ path: nameInHistory(past, row), ...shownWalk(scope) });
    for await (const entry of entries) {
      more = told.length === commits;
      if (more) break;
      const [change] = entry.changes;
      told.push({
        ...tellCommit(scope, await knowCommit(scope, past, entry)),
        change: change?.kind ?? 'modified',
        ...(change == null || change.from === null ? {} : { from: clip(change.from, 300) }),
      });
    }
    const { items, full } = fillPage(told, listBytes);
    const call = JSON.stringify({ mode: 'history', path: row.path });
    return {
      answer: { history: [...items] },
      remarks: [
        ...(told.length === 0 ? ['The note is in no commit yet.'] : []),
        ...(more || full ? [`It has more commits: vault_status ${call}.`] : []),
        ...pastRemarks(scope),
      ],
    };
  } catch (error) {
    if (!isGroveError(error, 'history_unavailable') && !isGroveError(error, 'history_not_shared'))
      throw error;
    return { answer: { history: [] }, remarks: [error.message] };
  }
}
