import {
  type CallToolResult,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { said } from './said.ts';

type FormSchema = ElicitRequestFormParams['requestedSchema'];

const ACCOUNT: FormSchema = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
};

/** A default for each primitive type (SEP-1034). */
const DEFAULTS: FormSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

const TITLED = [
  { const: 'value1', title: 'First' },
  { const: 'value2', title: 'Second' },
  { const: 'value3', title: 'Third' },
];

/** The five ways to offer a choice (SEP-1330). */
const CHOICES: FormSchema = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: TITLED },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: TITLED } },
  },
};

/**
 * Tools that ask the client while they run. Each returns what it needs: on 2025-11-25 the SDK asks over the session's
 * stream and calls the tool again, on 2026-07-28 the client does.
 */
export function registerAskingTools(server: McpServer): void {
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user', inputSchema: z.object({ message: z.string() }) },
    ({ message }, ctx) => elicit(ctx, message, ACCOUNT),
  );
  server.registerTool('test_elicitation_sep1034_defaults', { description: 'Asks with defaults' }, (ctx) =>
    elicit(ctx, 'Review and update the form fields with defaults', DEFAULTS),
  );
  server.registerTool('test_elicitation_sep1330_enums', { description: 'Asks with choices' }, (ctx) =>
    elicit(ctx, 'Choose from each list', CHOICES),
  );
  server.registerTool('test_streaming_elicitation', { description: 'Asks the user' }, (ctx) =>
    elicit(ctx, 'Who is there?', ACCOUNT),
  );
  server.registerTool(
    'test_sampling',
    { description: 'Asks the model', inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, ctx) => sample(ctx, prompt),
  );
  server.registerTool(
    'test_missing_capability',
    { description: 'Asks a model that may not be there' },
    (ctx) => sample(ctx, 'Is anyone there?'),
  );
}

function elicit(
  ctx: ServerContext,
  message: string,
  requestedSchema: FormSchema,
): CallToolResult | InputRequiredResult {
  const answer = inputResponse(ctx.mcpReq.inputResponses, 'form');
  if (answer.kind !== 'elicit')
    return inputRequired({ inputRequests: { form: inputRequired.elicit({ message, requestedSchema }) } });
  const { action, content } = answer;
  return said(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

function sample(ctx: ServerContext, prompt: string): CallToolResult | InputRequiredResult {
  const answer = inputResponse(ctx.mcpReq.inputResponses, 'sample');
  if (answer.kind === 'sampling') return said(`LLM response: ${JSON.stringify(answer.result.content)}`);
  return inputRequired({
    inputRequests: {
      sample: inputRequired.createMessage({
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: 100,
      }),
    },
  });
}
