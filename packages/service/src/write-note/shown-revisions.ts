import type { NoteOperation } from '@grove/writes';
import type { Scope } from '../contract.ts';
import { findCommit } from '../history/find-commit.ts';
import { pastOf, seesAll } from '../history/visible-past.ts';

/**
 * Looks up the commit that a restoration names, as get does. Who sees a part of the vault restores only from commits
 * that it may hear of, and only a note that it sees now. What names nothing stays so, and is refused with its operation.
 *
 * @throws GroveError `history_unavailable`; `bad_input` where several commits begin so
 */
export async function shownRevisions(
  scope: Scope,
  operations: readonly NoteOperation[],
): Promise<readonly NoteOperation[]> {
  return await Promise.all(operations.map((operation) => shownRevision(scope, operation)));
}

async function shownRevision(scope: Scope, operation: NoteOperation): Promise<NoteOperation> {
  const { from, path } = operation;
  if (from === null || !('revision' in from)) return operation;
  const isSeen = seesAll(scope) || scope.view.resolve(path).kind !== 'none';
  const found = isSeen ? await findCommit(scope, await pastOf(scope), from.revision.trim()) : null;
  return { ...operation, from: { revision: from.revision, commit: found?.commit ?? null } };
}
