import { type AskPerson, openQuestion, type Scope, sealQuestion } from '@grove/service';
import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { formAnswer, questionForm } from './question-form.ts';

/** Name of the question in the result. */
const QUESTION = 'delete';

/** A question that goes out as the result of its call. */
export interface QuestionByResult {
  readonly ask: AskPerson;
  /** What the call answers with, when it asked; null when it did not. */
  result(): InputRequiredResult | null;
}

/**
 * Asks as revision 2026-07-28 does: the call ends with the question, and the client sends it again with the answer and
 * with the state, which only this principal's answer to this question opens.
 */
export function askByResult(scope: Scope, ctx: ServerContext): QuestionByResult {
  const state = ctx.mcpReq.requestState();
  const answer = inputResponse(ctx.mcpReq.inputResponses, QUESTION);
  let asked: InputRequiredResult | null = null;
  return {
    ask: async (question) => {
      if (typeof state === 'string' && answer.kind === 'elicit')
        return openQuestion(scope, state) === question.id ? formAnswer(answer) : 'outdated';
      asked = inputRequired({
        inputRequests: { [QUESTION]: inputRequired.elicit(questionForm(scope, question)) },
        requestState: sealQuestion(scope, question.id),
      });
      return 'unavailable';
    },
    result: () => asked,
  };
}
