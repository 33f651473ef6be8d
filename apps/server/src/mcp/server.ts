import { operations, serverInstructions } from '@grove/service';
import { McpServer } from '@modelcontextprotocol/server';
import type { McpContext } from './context.ts';
import type { McpConnection } from './factory.ts';
import { registerNoteResource } from './resources/note.ts';
import { pageResources } from './resources/paging.ts';
import { registerStatusResource } from './resources/status.ts';
import { watchResources } from './resources/subscriptions.ts';
import { registerTagsResource } from './resources/tags.ts';
import { registerTool } from './tools/register-tool.ts';

/** How long a client may keep the list of tools without asking again. */
const TOOLS_TTL_MS = 3_600_000;

/**
 * The MCP server of one session: a tool for each operation, the resources and the instructions of this scope.
 * Serves either protocol era; what it listens to ends when the connection closes, a discarded probe included.
 *
 * @example serveStdio(({ era }) => createMcpServer(context, { era, profile: 'notes', lasting: true }))
 */
export function createMcpServer(context: McpContext, { era, lasting }: McpConnection): McpServer {
  const server = new McpServer(
    { name: 'grove', title: 'Grove', version: context.version },
    {
      instructions: serverInstructions(context.scope),
      capabilities: {
        tools: { listChanged: false },
        resources: { subscribe: true, listChanged: true },
        completions: {},
      },
      // Everything but the tools is what one caller may see.
      cacheHints: { 'tools/list': { ttlMs: TOOLS_TTL_MS, cacheScope: 'public' } },
    },
  );
  for (const operation of operations) registerTool(server, context, operation);
  registerNoteResource(server, context);
  registerTagsResource(server, context);
  registerStatusResource(server, context);
  pageResources(server, context);
  if (lasting) watchResources(server, context, era);
  return server;
}
