import type { AskPerson, Scope } from '@grove/service';
import { ProtocolError, type ServerContext } from '@modelcontextprotocol/server';
import { formAnswer, questionForm } from './question-form.ts';

/** How long a person is given to answer. */
const ANSWER_MS = 5 * 60_000;
/** Clients give up on a call that says nothing for a minute, unless it says that it goes on. */
const SIGN_OF_LIFE_MS = 15_000;

/**
 * Asks over the stream of the call, as revisions before 2026-07-28 do: the call goes on when the answer has come. The
 * question ends with the call, with the connection that its answer would go to, and with the time of the person.
 */
export function askInSession(scope: Pick<Scope, 'vault'>, ctx: ServerContext): AskPerson {
  return async (question) => {
    const ends = [question.signal, ctx.mcpReq.signal, ctx.http?.req?.signal].filter(
      (signal) => signal !== undefined,
    );
    const stop = tellProgress(ctx);
    try {
      const form = questionForm(scope, question);
      return formAnswer(
        await ctx.mcpReq.send(
          { method: 'elicitation/create', params: { ...form } },
          { timeout: ANSWER_MS, signal: AbortSignal.any(ends) },
        ),
      );
    } catch (error) {
      // The client said that it can ask, and answers that it cannot: the owner can still be asked elsewhere.
      return error instanceof ProtocolError ? 'unavailable' : 'unanswered';
    } finally {
      stop();
    }
  };
}

/** Tells a client that wants to hear of progress that the call goes on. */
function tellProgress({ mcpReq }: ServerContext): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    const params = { progressToken, progress, message: 'Waiting for the answer of a person' };
    // A client that has gone does not hear it; the question ends by itself.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  }, SIGN_OF_LIFE_MS);
  return () => clearInterval(timer);
}
