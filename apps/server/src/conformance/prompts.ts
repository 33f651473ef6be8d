import {
  acceptedContent,
  type ContentBlock,
  completable,
  type GetPromptResult,
  inputRequired,
  type McpServer,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PNG } from './media.ts';

const COMPLETIONS = ['paris', 'park', 'party'];
const CONTEXT = z.object({ context: z.string() });

/** Prompts with and without arguments, with each kind of content, and one that has to ask first (SEP-2322). */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'A prompt' }, () =>
    prompt({ type: 'text', text: 'This is a simple prompt for testing.' }),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'A prompt with arguments',
      argsSchema: z.object({
        arg1: completable(z.string().describe('First test argument'), (typed) =>
          COMPLETIONS.filter((value) => value.startsWith(typed)),
        ),
        arg2: z.string().describe('Second test argument'),
      }),
    },
    ({ arg1, arg2 }) =>
      prompt({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    {
      description: 'A prompt with a resource',
      argsSchema: z.object({ resourceUri: z.string().describe('URI of the resource to embed') }),
    },
    ({ resourceUri }) =>
      prompt(
        {
          type: 'resource',
          resource: {
            uri: resourceUri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
        { type: 'text', text: 'Please process the embedded resource above.' },
      ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'A prompt with an image' }, () =>
    prompt(
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'text', text: 'Please analyze the image above.' },
    ),
  );
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'A prompt that asks for its context' },
    (ctx) => {
      const answer = acceptedContent(ctx.mcpReq.inputResponses, 'user_context', CONTEXT);
      if (answer !== undefined) return prompt({ type: 'text', text: `Use this context: ${answer.context}` });
      return inputRequired({
        inputRequests: {
          user_context: inputRequired.elicit({
            message: 'What context should the prompt use?',
            requestedSchema: CONTEXT,
          }),
        },
      });
    },
  );
}

function prompt(...parts: readonly ContentBlock[]): GetPromptResult {
  return { messages: parts.map((content) => ({ role: 'user', content })) };
}
