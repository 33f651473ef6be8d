import { GroveError } from '@grove/core';
import type { TrashBatch } from '@grove/writes';
import { clip, isoTime } from '../answers/note-facts.ts';
import { fillPage } from '../answers/size.ts';
import type { Operation, Scope } from '../contract.ts';
import { requireMoment } from '../filters/dates.ts';
import { defineOperation } from '../operation/define.ts';
import { type TrashAnswer, type TrashInput, trashOutput, trashParameters } from './contract.ts';
import { presentTrash } from './present.ts';

const BATCHES_BYTES = 14 * 1024;
const LEFT_BYTES = 5 * 1024;
/** Paths of one batch that are named. */
const NAMED = 100;

/**
 * Lists what lies in the trash, or removes it for good. For the owner's command line alone: no client is shown it, and
 * no scope but the owner's can do it. It works while writing is off: it changes no note.
 *
 * @example await trash.run(scope, trash.parse({ empty: true, older_than: '30d' }));
 */
export const trash: Operation<TrashInput, TrashAnswer> = defineOperation({
  name: 'trash',
  title: 'The trash',
  description: 'List what lies in the trash, or remove it for good.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  parameters: trashParameters,
  output: trashOutput,
  check: ({ empty, older_than, dry_run }) => {
    if (!empty && dry_run)
      throw new GroveError('bad_input', { name: 'dry_run', reason: '"dry_run" goes with "empty"' });
    if (!empty && older_than !== null)
      throw new GroveError('bad_input', { name: 'older_than', reason: '"older_than" goes with "empty"' });
  },
  run: runTrash,
  present: presentTrash,
});

async function runTrash(scope: Scope, { empty, older_than, dry_run }: TrashInput): Promise<TrashAnswer> {
  const { principal, may, writable, clock } = scope;
  if (principal.kind !== 'owner' || !may.write) throw new GroveError('scope_missing', { scope: 'admin' });
  if (scope.trash === null) throw refusal(scope);
  // Writing that is switched off is no matter of the owner's; rules that this command was given are.
  if (empty && writable.readOnly) throw new GroveError('read_only');
  const now = clock.now();
  if (!empty) return answerOf(scope, now, await scope.trash.list());
  const until =
    older_than === null ? now : requireMoment('older_than', older_than, { now, zone: scope.vault.zone });
  const { emptied, left } = await scope.trash.empty(until, {
    dryRun: dry_run,
    mayChange: (path) => writable.refusal(path) === null,
  });
  return {
    ...answerOf(scope, now, emptied),
    ...(dry_run ? { dry_run: true } : { emptied: true }),
    left: [
      ...fillPage(
        left.map(({ batch, reason }) => ({ batch, reason: clip(reason, 600) })),
        LEFT_BYTES,
      ).items,
    ],
    left_total: left.length,
  };
}

function refusal({ view, writes }: Scope): GroveError {
  const reason = view.isOwner
    ? (writes.problem ?? 'its history cannot be read.')
    : 'path rules hide a part of the vault from this command, and with it a part of the trash.';
  return new GroveError('writes_unavailable', { reason });
}

function answerOf(scope: Scope, now: number, batches: readonly TrashBatch[]): TrashAnswer {
  const told = batches.map(({ batch, deleted, notes }) => ({
    batch,
    deleted: isoTime(scope, deleted),
    notes: notes.slice(0, NAMED).map(({ path }) => clip(path, 300)),
    notes_total: notes.length,
    bytes: bytesOf(notes),
  }));
  const notes = batches.flatMap((batch) => batch.notes);
  return {
    now: isoTime(scope, now),
    batches: [...fillPage(told, BATCHES_BYTES).items],
    batches_total: batches.length,
    notes: notes.length,
    bytes: bytesOf(notes),
    left: [],
    left_total: 0,
  };
}

function bytesOf(notes: TrashBatch['notes']): number {
  return notes.reduce((sum, { bytes }) => sum + bytes, 0);
}
