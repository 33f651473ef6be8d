import {
  acceptedContent,
  inputRequired,
  inputResponse,
  type McpServer,
  type RequestStateCodec,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { QUESTIONS } from './input-required.ts';
import { said } from './said.ts';

const CONFIRMATION = z.object({ ok: z.boolean() });
const COLOUR = z.object({ color: z.string() });

/** Tools of SEP-2322 that hand the client a state to bring back: the number of the round that is awaited. */
export function registerRequestStates(server: McpServer, states: RequestStateCodec<number>): void {
  for (const name of ['request_state', 'tampered_state'])
    server.registerTool(
      `test_input_required_result_${name}`,
      { description: 'Asks for a confirmation, with a state' },
      async (ctx) => {
        const answer = acceptedContent(ctx.mcpReq.inputResponses, 'confirm', CONFIRMATION);
        if (answer !== undefined && ctx.mcpReq.requestState<number>() === 2) return said('state-ok');
        return inputRequired({
          inputRequests: {
            confirm: inputRequired.elicit({ message: 'Please confirm', requestedSchema: CONFIRMATION }),
          },
          requestState: await states.mint(2),
        });
      },
    );
  server.registerTool(
    'test_input_required_result_multiple_inputs',
    { description: 'Asks three questions at once' },
    async (ctx) => {
      const { inputResponses } = ctx.mcpReq;
      const kinds = ['user_name', 'greeting', 'client_roots'].map(
        (key) => inputResponse(inputResponses, key).kind,
      );
      if (ctx.mcpReq.requestState() === 2 && kinds.join() === 'elicit,sampling,roots')
        return said('All three answers came.');
      return inputRequired({
        inputRequests: {
          user_name: QUESTIONS.name('What is your name?'),
          greeting: QUESTIONS.sample('Generate a greeting', 50),
          client_roots: QUESTIONS.roots(),
        },
        requestState: await states.mint(2),
      });
    },
  );
  server.registerTool(
    'test_input_required_result_multi_round',
    { description: 'Asks twice, one question after the other' },
    async (ctx) => {
      const round = ctx.mcpReq.requestState<number>() ?? 1;
      const colour = acceptedContent(ctx.mcpReq.inputResponses, 'step2', COLOUR);
      if (round === 3 && colour !== undefined) return said(`Your favorite color is ${colour.color}.`);
      const named = inputResponse(ctx.mcpReq.inputResponses, 'step1').kind === 'elicit';
      if ((round === 2 && named) || round === 3)
        return inputRequired({
          inputRequests: {
            step2: inputRequired.elicit({
              message: 'Step 2: What is your favorite color?',
              requestedSchema: COLOUR,
            }),
          },
          requestState: await states.mint(3),
        });
      return inputRequired({
        inputRequests: { step1: QUESTIONS.name('Step 1: What is your name?') },
        requestState: await states.mint(2),
      });
    },
  );
}
