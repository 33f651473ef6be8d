import { operations } from '@grove/service';
import type { McpServer } from '@modelcontextprotocol/server';
import type { McpContext } from '../context.ts';
import type { McpConnection } from '../factory.ts';
import { registerNoteResource } from '../resources/note.ts';
import { pageResources } from '../resources/paging.ts';
import { registerStatusResource } from '../resources/status.ts';
import { watchResources } from '../resources/subscriptions.ts';
import { registerTagsResource } from '../resources/tags.ts';
import { registerTool } from '../tools/register-tool.ts';

/** Grove's own tools, a tool for each operation, and the resources. */
export function registerNotes(server: McpServer, context: McpContext, connection: McpConnection): void {
  const { era, lasting, method } = connection;
  if (method === undefined || method.startsWith('tools/'))
    for (const operation of operations) registerTool(server, context, operation);
  if (method === undefined || method.startsWith('resources/') || method === 'completion/complete') {
    registerNoteResource(server, context);
    registerTagsResource(server, context);
    registerStatusResource(server, context);
    pageResources(server, context);
  }
  if (lasting) watchResources(server, context, era);
}
