import { errorCode, GroveError, isGroveError } from '@grove/core';
import { OwnerError } from '@grove/server';
import { type AskPerson, deletionQuestion } from '@grove/service';
import type { CommonOptions, Run } from '../run.ts';
import { askLine, isYes } from '../terminal/ask-line.ts';

export interface AskOptions extends CommonOptions {
  readonly yes?: true;
}

/**
 * How whoever sits at the terminal is asked before notes go: with `--yes` nobody is; null without a terminal, or with
 * `--json`, where nobody can be.
 *
 * @param vault name of the vault, as the question says it
 */
export function askOwner(run: Run, { yes, json }: AskOptions, vault: string): AskPerson | null {
  if (yes === true) return async () => 'accepted';
  if (!run.stdin.isTTY || json === true) return null;
  return async ({ notes }) => {
    const said = await askLine(run, `${deletionQuestion(vault, notes)}\n[y/N] `);
    if (said === null) return 'unanswered';
    return isYes(said) ? 'accepted' : 'declined';
  };
}

/** What to do at a terminal about the refusals of a question. */
const NEXT = {
  confirmation_needed: 'Run it at a terminal, where it asks, or say yes with --yes.',
  confirmation_declined: 'Nothing was deleted. Run it again to be asked again.',
  confirmation_unanswered: 'Nothing was deleted. Run it again to be asked again.',
} as const;

/** A refusal of a question with the next step for whoever is the owner; every other error as it is. */
export function inOwnersWords(error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined || !Object.hasOwn(NEXT, code)) return error;
  const known = code as keyof typeof NEXT;
  return new GroveError(known, { notes: notesOf(error) }, { hint: NEXT[known], cause: error });
}

function notesOf(error: unknown): unknown {
  if (isGroveError(error)) return error.data.notes;
  return error instanceof OwnerError ? error.payload.notes : undefined;
}
