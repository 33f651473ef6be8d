import { GroveError } from '@grove/core';
import { planMove } from '../moving/plan-move.ts';
import { planDelete } from '../trash/plan-delete.ts';
import { planRestore } from '../trash/plan-restore.ts';
import type { WriteAction } from './contract.ts';
import type { PreparedOperation } from './plan-note.ts';
import type { WholeFilePlan, WholeFileSetting } from './whole-file-plan.ts';

/** True for actions that are not about one note's text alone. */
export function isWholeFile(action: WriteAction): action is 'move' | 'delete' | 'restore' {
  return action === 'move' || action === 'delete' || action === 'restore';
}

/** Each of them is a commit of its own. Throws `bad_input`. */
export function refuseWholeFile(action: WriteAction): void {
  if (isWholeFile(action))
    throw new GroveError('bad_input', {
      name: 'atomic',
      reason: `${action} is a commit of its own and no part of an atomic batch; send it with atomic: false`,
    });
}

/**
 * Prepares a move, a deletion or a restoration.
 *
 * @throws GroveError `delete_denied`, `not_in_trash`, `revision_not_found`,
 * `repository_unreadable`
 */
export async function planWholeFile(
  prepared: PreparedOperation,
  setting: WholeFileSetting,
): Promise<WholeFilePlan> {
  switch (prepared.operation.action) {
    case 'move':
      return await planMove(prepared, setting);
    case 'delete':
      return planDelete(prepared, setting);
    default:
      return await planRestore(prepared, setting);
  }
}
