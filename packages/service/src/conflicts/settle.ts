import { GroveError, parseVaultPath, type VaultPath } from '@grove/core';
import { type ConflictCopy, conflictCopies } from '@grove/graph';
import { plainHash } from '@grove/writes';
import type { Operation, Scope } from '../contract.ts';
import { defineOperation } from '../operation/define.ts';
import { writeCaller } from '../write-note/caller.ts';
import { writeNote } from '../write-note/operation.ts';
import { type SettleAnswer, type SettleInput, settleOutput, settleParameters } from './contract.ts';
import { presentSettled } from './present.ts';

/**
 * Settles one conflict, so that nothing is lost: what loses stays in the history, and a copy that goes lies in the trash.
 *
 * @throws GroveError `conflict_unknown`, `writes_off`, `writes_unavailable`, `stale_hash`, `note_exists`, and what refuses
 * a write
 * @example await settle.run(scope, settle.parse({ copy: 'Plan (conflict 2026-11-30 origin).md', keep: 'theirs' }));
 */
export const settle: Operation<SettleInput, SettleAnswer> = defineOperation({
  name: 'settle',
  title: 'Settle a conflict',
  description: 'Keep the note, the copy beside it, or both.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  parameters: { ...settleParameters },
  output: settleOutput,
  check: ({ keep, as }) => {
    if ((keep === 'both') !== (as !== null))
      throw new GroveError('bad_input', {
        name: 'as',
        reason:
          keep === 'both' ? '"both" needs a path for the new note in "as"' : '"as" goes with keep: both',
      });
  },
  run: runSettle,
  present: presentSettled,
});

async function runSettle(scope: Scope, input: SettleInput): Promise<SettleAnswer> {
  const conflict = conflictNamed(scope, input.copy);
  const { keep } = input;
  const { note, ...done } =
    keep === 'ours' ? await letGo(scope, conflict) : await takeOver(scope, conflict, input);
  return {
    copy: conflict.copy.path,
    kept: keep,
    note,
    ...done,
    conflicts_left: scope.view.conflictCopies().length,
  };
}

function conflictNamed({ view }: Scope, path: string): ConflictCopy {
  const found = conflictCopies(view).find(({ copy }) => copy.path === path.normalize('NFC'));
  if (found === undefined)
    throw new GroveError('conflict_unknown', { path: path.slice(0, 300).toWellFormed() });
  return found;
}

type Done = Pick<SettleAnswer, 'note' | 'commit' | 'conflict_saved'>;

async function letGo(scope: Scope, { copy, original }: ConflictCopy): Promise<Done> {
  const call = { action: 'delete', path: copy.path, if_hash: copy.contentHash, reason: 'Settle a conflict' };
  const { commit } = await writeNote.run(scope, writeNote.parse(call));
  return { note: original, ...(commit === undefined ? {} : { commit }) };
}

/** The copy's bytes go to the note, or to a new one. */
async function takeOver(
  scope: Scope,
  { copy, of, original }: ConflictCopy,
  { keep, as, if_hash }: SettleInput,
): Promise<Done> {
  const to = keep === 'both' ? ownPath(as ?? '') : original;
  const ours = of === null ? null : if_hash === null ? of.contentHash : plainHash(if_hash);
  const { caller, notes } = writeCaller(scope);
  const { commit, conflictSaved } = await notes.settleCopy(caller, {
    copy: copy.path,
    copyHash: copy.contentHash,
    to,
    toHash: keep === 'both' ? null : ours,
  });
  return {
    note: to,
    ...(commit === null ? {} : { commit }),
    ...(conflictSaved.length === 0 ? {} : { conflict_saved: [...conflictSaved] }),
  };
}

function ownPath(as: string): VaultPath {
  return parseVaultPath(/\.md$/i.test(as) ? as : `${as}.md`);
}
