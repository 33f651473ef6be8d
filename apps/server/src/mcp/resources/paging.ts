import { isGroveError, type VaultPath } from '@grove/core';
import { type ListNotesAnswer, listNotes } from '@grove/service';
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
} from '@modelcontextprotocol/server';
import type { McpContext } from '../context.ts';
import { noteUri, STATUS_URI, TAGS_URI } from './note-uri.ts';
import { toldErrors } from './told-errors.ts';
import { watched } from './watched.ts';

/** Notes on one page. */
const PAGE = 100;

const FIXED: readonly Resource[] = [
  { uri: TAGS_URI, name: 'tags', title: 'Tags', mimeType: 'text/markdown' },
  { uri: STATUS_URI, name: 'status', title: 'Status', mimeType: 'text/markdown' },
];

/**
 * Answers `resources/list` page by page, which the SDK's own handler does not: the fixed resources first, then the
 * notes by path, as list_notes pages them. A cursor of another caller, or made up, is -32602 (MCP, Pagination).
 */
export function pageResources(server: McpServer, context: McpContext): void {
  const list = watched(
    context,
    'resources/list',
    (cursor: string | undefined) => page(context, cursor),
    (_, output) => ({ operation: listNotes.name, input: {}, output }),
  );
  const answer = toldErrors(context.log, async (cursor: string | undefined) => {
    const { notes, cursor: next } = await list(cursor);
    const resources = (notes ?? []).map(
      ({ path, title, size }): Resource => ({
        uri: noteUri(path as VaultPath),
        name: path,
        ...(title === undefined ? {} : { title }),
        mimeType: 'text/markdown',
        size,
      }),
    );
    return {
      resources: cursor === undefined ? [...FIXED, ...resources] : resources,
      ...(next === undefined ? {} : { nextCursor: next }),
    };
  });
  server.server.setRequestHandler('resources/list', (request) => answer(request.params?.cursor));
}

async function page(context: McpContext, cursor: string | undefined): Promise<ListNotesAnswer> {
  await context.indexed();
  try {
    // An empty cursor is a wrong one here, not an absent one.
    if (cursor === '') throw new ProtocolError(ProtocolErrorCode.InvalidParams, WRONG_CURSOR);
    const input = listNotes.parse({ sort: 'path', limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    return await listNotes.run(context.scope, input);
  } catch (error) {
    if (!isGroveError(error, 'bad_cursor')) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, WRONG_CURSOR);
  }
}

const WRONG_CURSOR = 'The cursor does not belong to this list';
