import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  inputResponse,
  type McpServer,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { said } from './said.ts';

const NAMED = z.object({ name: z.string() });

/** Questions that more than one tool asks. */
export const QUESTIONS = {
  name: (message: string) => inputRequired.elicit({ message, requestedSchema: NAMED }),
  sample: (text: string, maxTokens: number) =>
    inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens }),
  roots: () => inputRequired.listRoots(),
};

/** Tools and answers of SEP-2322 that need no state: one question each, or those the client can answer. */
export function registerInputRequired(server: McpServer): void {
  server.registerTool('test_input_required_result_elicitation', { description: 'Asks for a name' }, (ctx) => {
    // An answer under another key, or not of this shape, is asked for again.
    const answer = acceptedContent(ctx.mcpReq.inputResponses, 'user_name', NAMED);
    if (answer !== undefined) return said(`Hello, ${answer.name}!`);
    return inputRequired({ inputRequests: { user_name: QUESTIONS.name('What is your name?') } });
  });
  server.registerTool('test_input_required_result_sampling', { description: 'Asks the model' }, (ctx) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'capital_question');
    if (answer.kind === 'sampling') return said(JSON.stringify(answer.result.content));
    return inputRequired({
      inputRequests: { capital_question: QUESTIONS.sample('What is the capital of France?', 100) },
    });
  });
  server.registerTool('test_input_required_result_list_roots', { description: 'Asks for roots' }, (ctx) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'client_roots');
    if (answer.kind === 'roots') return said(answer.roots.map(({ uri }) => uri).join('\n'));
    return inputRequired({ inputRequests: { client_roots: QUESTIONS.roots() } });
  });
  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks only what the client declared that it can answer' },
    (ctx) => {
      const envelope: Readonly<Record<string, ClientCapabilities>> = ctx.mcpReq.envelope ?? {};
      const can = envelope[CLIENT_CAPABILITIES_META_KEY] ?? {};
      if (ctx.mcpReq.inputResponses !== undefined) return said('Thank you.');
      const inputRequests = {
        ...(can.elicitation === undefined ? {} : { user_name: QUESTIONS.name('What is your name?') }),
        ...(can.sampling === undefined ? {} : { greeting: QUESTIONS.sample('Generate a greeting', 50) }),
        ...(can.roots === undefined ? {} : { client_roots: QUESTIONS.roots() }),
      };
      return Object.keys(inputRequests).length === 0
        ? said('There is nobody to ask.')
        : inputRequired({ inputRequests });
    },
  );
}
