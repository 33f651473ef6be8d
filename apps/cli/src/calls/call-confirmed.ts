import { errorCode, GroveError } from '@grove/core';
import { OwnerError } from '@grove/server';
import { type ApproveAnswer, type AskPerson, approve, type DeletionQuestion } from '@grove/service';

/** Runs an operation in the process that owns the vault; null when nobody listens there. Throws OwnerError. */
export type OwnerCall = (
  operation: string,
  input: Readonly<Record<string, unknown>>,
) => Promise<{ readonly output: unknown } | null>;

/** The command line itself, as what waits names it. */
const OWN = 'owner:owner';

/**
 * Runs an operation in the process that owns the vault. Where that needs a yes first, whoever sits here is asked, and
 * the same call is made again: the yes is to the notes as the question had them.
 *
 * @throws OwnerError; GroveError `confirmation_declined`, `confirmation_unanswered`
 */
export async function callConfirmed(
  call: OwnerCall,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  ask: AskPerson | null,
): Promise<{ readonly output: unknown } | null> {
  try {
    return await call(operation, input);
  } catch (error) {
    if (ask === null || errorCode(error) !== 'confirmation_needed') throw error;
    const listed = await call(approve.name, {});
    if (listed === null) return null;
    const own = questionOf(listed.output as ApproveAnswer, error);
    if (own === undefined) throw error;
    const answer = await ask({ id: own.id, notes: own.notes, signal: new AbortController().signal });
    if (answer === 'unavailable') throw error;
    const decided = await call(approve.name, { id: own.id, deny: answer !== 'accepted' });
    if (answer !== 'accepted')
      throw new GroveError(answer === 'declined' ? 'confirmation_declined' : 'confirmation_unanswered');
    return decided === null ? null : await call(operation, input);
  }
}

/** What waits because of the call that was refused: its own question about just these notes. */
function questionOf(
  { waiting }: ApproveAnswer,
  refusal: unknown,
): Pick<DeletionQuestion, 'id' | 'notes'> | undefined {
  const notes = refusal instanceof OwnerError ? refusal.payload.notes : undefined;
  if (!Array.isArray(notes)) return undefined;
  const wanted = JSON.stringify(notes.toSorted());
  return waiting.find(
    (entry) => entry.principal === OWN && JSON.stringify(entry.notes.toSorted()) === wanted,
  );
}
