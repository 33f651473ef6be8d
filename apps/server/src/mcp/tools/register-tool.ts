import { type AnyOperation, answerCall, type Scope } from '@grove/service';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { McpContext } from '../context.ts';
import { advertisedSchema } from './advertised-schema.ts';
import { clientName } from './client-name.ts';

/**
 * Offers one operation as a tool: its own schemas, title and four hints; the text block is what `present` makes of
 * the answer and `structuredContent` the whole of it, in errors too.
 */
export function registerTool(server: McpServer, context: McpContext, operation: AnyOperation): void {
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
      if (operation.name !== 'vault_status') await context.indexed();
      const answer = await answerCall(operation, scopeOf(server, context), input ?? {}, (cause) =>
        context.log.error({ err: cause, tool: operation.name }, 'a call failed'),
      );
      context.onCall?.(operation.name, answer.error?.code ?? 'ok');
      return {
        content: [{ type: 'text', text: answer.text }],
        structuredContent: { ...answer.structured },
        ...(answer.error === null ? {} : { isError: true }),
      };
    },
  );
}

/** The caller's scope, with the name of the program that it comes with where the session knows it. */
function scopeOf(server: McpServer, { scope }: McpContext): Scope {
  const client = clientName(server.server.getClientVersion());
  return client === null ? scope : { ...scope, principal: { ...scope.principal, client } };
}
