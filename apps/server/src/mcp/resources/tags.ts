import { type ListNotesAnswer, listNotes } from '@grove/service';
import type { McpServer } from '@modelcontextprotocol/server';
import type { McpContext } from '../context.ts';
import { TAGS_URI } from './note-uri.ts';
import { toldErrors } from './told-errors.ts';
import { watched } from './watched.ts';

const PAGE = 200;

/** `vault://tags`: every tag in use with its count, as list_notes gives them. */
export function registerTagsResource(server: McpServer, context: McpContext): void {
  const list = watched(context, 'resources/read', () => allTags(context));
  server.registerResource(
    'tags',
    TAGS_URI,
    { title: 'Tags', description: 'Tags in use, with counts.', mimeType: 'text/markdown' },
    toldErrors(context.log, async (uri: URL) => {
      const answer = await list();
      return {
        contents: [
          { uri: uri.href, mimeType: 'text/markdown', text: listNotes.present(answer) },
          { uri: uri.href, mimeType: 'application/json', text: JSON.stringify(answer) },
        ],
      };
    }),
  );
}

/** A resource has no pages, so the pages of the list are put together. */
async function allTags({ scope, indexed }: McpContext): Promise<ListNotesAnswer> {
  await indexed();
  const list = async (cursor?: string): Promise<ListNotesAnswer> =>
    await listNotes.run(
      scope,
      listNotes.parse({ of: 'tags', limit: PAGE, ...(cursor === undefined ? {} : { cursor }) }),
    );
  const { cursor: second, ...first } = await list();
  const groups = [...(first.groups ?? [])];
  for (let cursor = second; cursor !== undefined; ) {
    const next = await list(cursor);
    groups.push(...(next.groups ?? []));
    cursor = next.cursor;
  }
  return { ...first, groups };
}
