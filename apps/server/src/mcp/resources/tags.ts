import { answerCall, listNotes } from '@grove/service';
import type { McpServer } from '@modelcontextprotocol/server';
import type { McpContext } from '../context.ts';
import { answerContents } from './answer-contents.ts';

/** `vault://tags`: the tags in use with their counts, as list_notes gives them. */
export function registerTagsResource(server: McpServer, context: McpContext): void {
  server.registerResource(
    'tags',
    'vault://tags',
    { title: 'Tags', description: 'Tags in use, with counts.', mimeType: 'text/markdown' },
    async (uri) =>
      answerContents(uri, await answerCall(listNotes, context.scope, { of: 'tags', limit: 500 })),
  );
}
