import { isGroveError } from '@grove/core';
import { allOperations } from '../operations.ts';

/** The six tools by their names over MCP. */
export type ToolName = 'query' | 'get' | 'multi_get' | 'write_note' | 'list_notes' | 'vault_status';

type CallInput = Readonly<Record<string, unknown>>;

/**
 * A call as a model reads it: the tool and its arguments as JSON. What is null is left out, and nothing in a value ends
 * the code that it stands in.
 *
 * @example named('get', { path: 'Compost.md', section: null }) // '`get {"path":"Compost.md"}`'
 */
export function named(tool: ToolName, input: CallInput): string {
  return `\`${tool} ${JSON.stringify(given(input)).replaceAll('`', '\\u0060')}\``;
}

/**
 * The call, or null where the tool does not take it: modes come with versions, and what would be refused is not to be
 * named.
 */
export function namedIfTaken(tool: ToolName, input: CallInput): string | null {
  const operation = allOperations.find(({ name }) => name === tool);
  try {
    operation?.parse(given(input));
    return named(tool, input);
  } catch (error) {
    if (isGroveError(error)) return null;
    throw error;
  }
}

function given(input: CallInput): CallInput {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}
