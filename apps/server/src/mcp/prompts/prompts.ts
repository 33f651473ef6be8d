import {
  type Completed,
  completeArgument,
  composePrompt,
  type GardenPrompt,
  gardenPrompts,
  type ParameterTable,
} from '@grove/service';
import { completable, type GetPromptResult, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { McpContext } from '../context.ts';
import { toldErrors } from '../resources/told-errors.ts';
import { watched } from '../resources/watched.ts';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Offers the ways to tend a vault as prompts. Each is made when it is asked for, by what the caller sees and may do
 * then; its arguments are completed with names of the caller's View.
 */
export function registerPrompts(server: McpServer, context: McpContext): void {
  for (const prompt of gardenPrompts) {
    const { name, title, description } = prompt;
    const get = watched(context, 'prompts/get', (given: Arguments) => answerPrompt(context, prompt, given));
    server.registerPrompt(
      name,
      { title, description, argsSchema: argumentsOf(prompt, context) },
      toldErrors(context.log, get),
    );
  }
}

async function answerPrompt(
  { indexed, scope }: McpContext,
  prompt: GardenPrompt,
  given: Arguments,
): Promise<GetPromptResult> {
  await indexed();
  const text = composePrompt(scope, prompt, given);
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

/** The arguments as the SDK lists and completes them; what they hold is judged where the prompt is made. */
function argumentsOf({ parameters, completes }: GardenPrompt, context: McpContext): z.ZodObject {
  const fields = Object.entries(parameters as ParameterTable).map(([name, { description, required }]) => {
    const typed = z.string().describe(description);
    const completed = completes[name];
    const field = completed === undefined ? typed : completable(typed, completerOf(completed, context));
    return [name, required ? field : field.optional()] as const;
  });
  return z.looseObject(Object.fromEntries(fields));
}

function completerOf(completed: Completed, context: McpContext): (typed: string) => Promise<string[]> {
  const complete = watched(context, 'completion/complete', async (typed: string) => {
    await context.indexed();
    return completeArgument(context.scope, completed, typed);
  });
  return toldErrors(context.log, complete);
}
