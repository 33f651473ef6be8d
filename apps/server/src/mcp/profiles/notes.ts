import { allOperations } from '@grove/service';
import type { McpServer } from '@modelcontextprotocol/server';
import type { McpContext } from '../context.ts';
import type { McpConnection } from '../factory.ts';
import { registerPrompts } from '../prompts/prompts.ts';
import { registerNoteResource } from '../resources/note.ts';
import { pageResources } from '../resources/paging.ts';
import { registerStatusResource } from '../resources/status.ts';
import { watchConnection } from '../resources/subscriptions.ts';
import { registerTagsResource } from '../resources/tags.ts';
import { answerToolList } from '../tools/list-tools.ts';
import { mayCall } from '../tools/may-call.ts';
import { registerTool } from '../tools/register-tool.ts';

/** What a client tells its model that may add to notes and not read them. */
export const ADDING_INSTRUCTIONS =
  'Notes of a vault that may be added to and not read. Append with write_note; what is there stays as it is.';

/** Grove's own tools, a tool for each operation that the caller may use, and the resources and prompts of who may read. */
export function registerNotes(server: McpServer, context: McpContext, connection: McpConnection): void {
  const { era, lasting, method } = connection;
  if (method === undefined || method.startsWith('tools/')) {
    for (const operation of allOperations)
      if (mayCall(context.scope, operation)) registerTool(server, context, operation, era);
    answerToolList(server, context);
  }
  const reads = context.scope.may.read;
  const isAsked = (of: string): boolean =>
    reads && (method === undefined || method.startsWith(of) || method === 'completion/complete');
  if (isAsked('resources/')) {
    registerNoteResource(server, context);
    registerTagsResource(server, context);
    registerStatusResource(server, context);
    pageResources(server, context);
  }
  if (isAsked('prompts/')) registerPrompts(server, context);
  if (lasting) watchConnection(server, context, reads ? era : null);
}
