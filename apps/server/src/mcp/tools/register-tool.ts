import { answerCall, type Operation } from '@grove/service';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { McpContext } from '../context.ts';
import { advertisedSchema } from './advertised-schema.ts';

/** How a call waits for the first index; then it answers with what there is, and says so. */
const PATIENCE_MS = 20_000;

/**
 * Offers one operation as a tool: its own schemas, title and four hints; the text block is what `present` makes of
 * the answer and `structuredContent` the whole of it, in errors too.
 */
// biome-ignore lint/suspicious/noExplicitAny: the list of operations is heterogeneous; parse gives run its input.
export function registerTool(server: McpServer, context: McpContext, operation: Operation<any, any>): void {
  server.registerTool(
    operation.name,
    {
      title: operation.title,
      description: operation.description,
      inputSchema: advertisedSchema(operation.inputSchema),
      outputSchema: advertisedSchema(operation.outputSchema),
      annotations: { title: operation.title, ...operation.hints },
    },
    async (input: unknown): Promise<CallToolResult> => {
      const complete = operation.name === 'vault_status' || (await context.indexed(PATIENCE_MS));
      const answer = await answerCall(operation, context.scope, input ?? {}, (cause) =>
        context.log.error({ err: cause, tool: operation.name }, 'a call failed'),
      );
      const text = complete ? answer.text : `${answer.text}\n\n${INCOMPLETE}`;
      return {
        content: [{ type: 'text', text }],
        structuredContent: { ...answer.structured },
        ...(answer.error === null ? {} : { isError: true }),
      };
    },
  );
}

const INCOMPLETE =
  'The vault is still being indexed, so notes may be missing from this answer; vault_status shows how far it is.';
