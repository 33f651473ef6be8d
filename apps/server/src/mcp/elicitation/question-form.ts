import { type DeletionAnswer, type DeletionQuestion, deletionQuestion, type Scope } from '@grove/service';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';

const YES = 'Delete';
const NO = 'Keep';

/**
 * The form of the question whether to delete. The answer has to be chosen: a form that is sent off as it came is no yes.
 */
export function questionForm(
  { vault }: Pick<Scope, 'vault'>,
  { notes }: Pick<DeletionQuestion, 'notes'>,
): ElicitRequestFormParams {
  return {
    mode: 'form',
    message: deletionQuestion(vault.name, notes),
    requestedSchema: {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Your answer', enum: [YES, NO] } },
      required: ['answer'],
    },
  };
}

/** What a filled form says. Its content comes from the client, and is anything. */
export function formAnswer({
  action,
  content,
}: {
  readonly action: string;
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}): DeletionAnswer {
  if (action === 'accept') return content?.answer === YES ? 'accepted' : 'declined';
  return action === 'decline' ? 'declined' : 'unanswered';
}
