import { type ConflictCopy, conflictCopies } from '@grove/graph';
import { shortDiff } from '@grove/markdown';
import { fillPage } from '../answers/size.ts';
import type { Operation, Scope } from '../contract.ts';
import { readIfThere } from '../notes/read.ts';
import { defineOperation } from '../operation/define.ts';
import {
  type ConflictAnswer,
  type ConflictsAnswer,
  type ConflictsInput,
  conflictsOutput,
  conflictsParameters,
} from './contract.ts';
import { otherFiles } from './other-files.ts';
import { presentConflicts } from './present.ts';

const DIFF_BYTES = 1024;
const LIST_BYTES = 16 * 1024;
const FILES_BYTES = 4 * 1024;

/**
 * Lists the copies that pulls and sync tools left beside notes. Only who sees all of the vault hears of them.
 *
 * @example (await conflicts.run(scope, conflicts.parse({}))).conflicts_total
 */
export const conflicts: Operation<ConflictsInput, ConflictsAnswer> = defineOperation({
  name: 'conflicts',
  title: 'Conflicts',
  description: 'List the copies that pulls and sync tools left beside notes, each with how it differs.',
  parameters: conflictsParameters,
  output: conflictsOutput,
  run: listConflicts,
  present: presentConflicts,
});

async function listConflicts(scope: Scope, { limit }: ConflictsInput): Promise<ConflictsAnswer> {
  const copies = conflictCopies(scope.view);
  const told: ConflictAnswer[] = [];
  for (const conflict of copies.slice(0, limit)) told.push(await tell(scope, conflict));
  return {
    conflicts: [...fillPage(told, LIST_BYTES).items],
    conflicts_total: copies.length,
    files: [...fillPage(await otherFiles(scope), FILES_BYTES).items],
  };
}

async function tell(scope: Scope, { copy, of, original, pulled }: ConflictCopy): Promise<ConflictAnswer> {
  const [ours, theirs] = await Promise.all(
    [of, copy].map(async (row) => (row === null ? null : await readIfThere(scope.view, row))),
  );
  const diff = shortDiff(ours?.note.text ?? '', theirs?.note.text ?? '', DIFF_BYTES);
  return {
    copy: copy.path,
    note: original,
    ...(of === null ? {} : { note_hash: scope.sourceHash(of) }),
    ...(pulled === null ? {} : pulled),
    ...(diff === '' ? {} : { diff: diff.toWellFormed() }),
  };
}
