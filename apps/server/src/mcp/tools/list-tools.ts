import { type AnyOperation, operationsFor } from '@grove/service';
import type { McpServer, Tool } from '@modelcontextprotocol/server';
import type { McpContext } from '../context.ts';
import { mayCall } from './may-call.ts';

/** Answers `tools/list` with the tools that this caller is shown now: the write switch may turn while it is connected. */
export function answerToolList(server: McpServer, { scope }: McpContext): void {
  server.server.setRequestHandler('tools/list', () => ({
    tools: operationsFor(scope)
      .filter((operation) => mayCall(scope, operation))
      .map(toolOf),
  }));
}

function toolOf({ name, title, description, inputSchema, outputSchema, hints }: AnyOperation): Tool {
  return {
    name,
    title,
    description,
    inputSchema: inputSchema as Tool['inputSchema'],
    outputSchema: outputSchema as NonNullable<Tool['outputSchema']>,
    annotations: { title, ...hints },
  };
}
