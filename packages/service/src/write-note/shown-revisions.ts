import { GroveError } from '@grove/core';
import type { NoteOperation } from '@grove/writes';
import type { Scope } from '../contract.ts';
import { findCommit } from '../history/find-commit.ts';
import { pastOf, seesAll } from '../history/visible-past.ts';

/**
 * For who sees a part of the vault a revision to restore is one of the commits that it may hear of, and the note one
 * that it sees now: each is looked up as get does, and goes on by its whole id.
 *
 * @throws GroveError `revision_not_found`, `history_unavailable`; `bad_input` where several commits begin so
 */
export async function shownRevisions(
  scope: Scope,
  operations: readonly NoteOperation[],
): Promise<readonly NoteOperation[]> {
  if (seesAll(scope)) return operations;
  return await Promise.all(operations.map((operation) => shownRevision(scope, operation)));
}

async function shownRevision(scope: Scope, operation: NoteOperation): Promise<NoteOperation> {
  const { from, path } = operation;
  if (from === null || !('revision' in from)) return operation;
  const isSeen = scope.view.resolve(path).kind !== 'none';
  const found = isSeen ? await findCommit(scope, await pastOf(scope), from.revision.trim()) : null;
  if (found === null) throw new GroveError('revision_not_found', { path, revision: from.revision });
  return { ...operation, from: { revision: found.commit } };
}
