import { GroveError } from '@grove/core';
import type { WaitingDeletion } from '@grove/writes';
import { isoTime } from '../answers/note-facts.ts';
import type { Operation, Scope } from '../contract.ts';
import { defineOperation } from '../operation/define.ts';
import {
  type ApproveAnswer,
  type ApproveInput,
  approveOutput,
  approveParameters,
  type WaitingAnswer,
} from './contract.ts';
import { presentApprove } from './present.ts';

/**
 * Lists the deletions that wait for a yes, or decides one of them. For the owner's command line alone: no client is
 * shown it, and no scope but the owner's can do it.
 *
 * @example await approve.run(scope, approve.parse({ id: 'k7f2m9qdx3' }));
 */
export const approve: Operation<ApproveInput, ApproveAnswer> = defineOperation({
  name: 'approve',
  title: 'Say yes or no to deletions',
  description: 'List the deletions that wait for the yes of the owner, or decide one of them.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  parameters: approveParameters,
  output: approveOutput,
  check: ({ id, deny }) => {
    if (deny && id === null)
      throw new GroveError('bad_input', { name: 'id', reason: '"deny" needs to know which' });
  },
  run: runApprove,
  present: presentApprove,
});

const PRINCIPAL_OF_OWNER = 'owner:owner';

async function runApprove(scope: Scope, { id, deny }: ApproveInput): Promise<ApproveAnswer> {
  const { confirmations } = scope;
  if (confirmations === null) throw new GroveError('scope_missing', { scope: 'admin' });
  if (id === null) return { waiting: shown(scope) };
  const named = id.trim().toLowerCase();
  // What this owner's own rules hide is not decided unseen either.
  const found = shown(scope).find((entry) => entry.id === named);
  const isDecided = found !== undefined && (deny ? confirmations.deny(named) : confirmations.approve(named));
  if (!isDecided) throw new GroveError('confirmation_unknown', { id: id.trim().slice(0, 40) });
  // Owners who keep a note now may still change their mind.
  if (deny && found?.principal === PRINCIPAL_OF_OWNER) confirmations.drop(named);
  return { waiting: shown(scope), ...(deny ? { denied: named } : { approved: named }) };
}

function shown(scope: Scope): WaitingAnswer[] {
  return (scope.confirmations?.waiting() ?? [])
    .filter(({ notes }) => notes.every(({ path }) => scope.view.get(path) !== null))
    .map((entry) => answerOf(scope, entry));
}

function answerOf(scope: Scope, { id, author, notes, askedAt }: WaitingDeletion): WaitingAnswer {
  return {
    id,
    principal: `${author.kind}:${author.id}`,
    name: author.name,
    ...(author.client === null ? {} : { client: author.client }),
    notes: notes.map(({ path }) => path),
    asked: isoTime(scope, askedAt),
  };
}
