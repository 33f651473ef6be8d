import { GroveError } from '@grove/core';
import { clip, isoTime } from '../answers/note-facts.ts';
import { fillPage } from '../answers/size.ts';
import type { Operation, Scope } from '../contract.ts';
import { requireMoment } from '../filters/dates.ts';
import { pastOf, pastRemarks } from '../history/visible-past.ts';
import { defineOperation } from '../operation/define.ts';
import { type RevertAnswer, type RevertInput, revertOutput, revertParameters } from './contract.ts';
import { keyNamed } from './key-named.ts';
import { presentRevert } from './present.ts';

const UNDONE_BYTES = 14 * 1024;
const LEFT_BYTES = 5 * 1024;

/**
 * Undoes what one key wrote. For the owner's command line alone: no client is shown it, and no scope but the owner's can
 * do it.
 */
export const revert: Operation<RevertInput, RevertAnswer> = defineOperation({
  name: 'revert',
  title: 'Undo what a key wrote',
  description: 'Undo what one key wrote since a moment, and nothing else.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  parameters: revertParameters,
  output: revertOutput,
  run: runRevert,
  present: presentRevert,
});

async function runRevert(scope: Scope, { key, since, dry_run }: RevertInput): Promise<RevertAnswer> {
  if (scope.revert === null) throw refusal(scope);
  const past = await pastOf(scope);
  const now = { now: scope.clock.now(), zone: scope.vault.zone };
  const moment = requireMoment('since', since, now);
  const principal = await keyNamed(past, key, moment);
  const outcome = await scope.revert({ key: principal, since: moment, dryRun: dry_run });
  const undone = outcome.undone.map(({ path, change, diff }) => ({
    path: clip(path, 500),
    change,
    ...(diff === '' ? {} : { diff: diff.toWellFormed() }),
  }));
  const left = outcome.left.map(({ path, reason }) => ({ path: clip(path, 500), reason: clip(reason, 300) }));
  return {
    key: principal,
    since: isoTime(scope, moment),
    ...(dry_run ? { dry_run: true } : {}),
    commits: outcome.commits,
    undone: [...fillPage(undone, UNDONE_BYTES).items],
    undone_total: undone.length,
    left: [...fillPage(left, LEFT_BYTES).items],
    left_total: left.length,
    ...(outcome.commit === null ? {} : { commit: outcome.commit }),
    ...(outcome.conflictSaved.length === 0 ? {} : { conflict_saved: [...outcome.conflictSaved] }),
    remarks: [
      ...(outcome.commits === 0 ? ['No signed commit of that key is known since then.'] : []),
      ...pastRemarks(scope),
    ],
  };
}

function refusal({ principal, may, view, writes }: Scope): GroveError {
  if (principal.kind !== 'owner' || !may.write) return new GroveError('scope_missing', { scope: 'admin' });
  const reason = view.isOwner
    ? (writes.problem ?? 'its history cannot be written.')
    : 'path rules hide a part of the vault from this command, and a key may have written there.';
  return new GroveError('writes_unavailable', { reason });
}
