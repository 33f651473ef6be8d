import type { VaultPath } from '@grove/core';
import { isGroveError } from '@grove/core';
import { openCursor, sealCursor } from '@grove/service';
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
} from '@modelcontextprotocol/server';
import type { McpContext } from '../context.ts';
import { noteUri } from './note-uri.ts';

const PAGE = 100;
const SUBJECT = { operation: 'resources/list', input: null };

/**
 * Answers `resources/list` page by page, which the SDK's own handler does not: the fixed resources first, then the
 * notes of the View by path. A cursor holds the last path, so that notes added meanwhile shift nothing. A cursor
 * of another session or made up is -32602 (MCP, Pagination).
 */
export function pageResources(server: McpServer, context: McpContext): void {
  server.server.setRequestHandler('resources/list', (request) => {
    const { scope } = context;
    const cursor = request.params?.cursor;
    const after = cursor === undefined ? null : lastPath(context, cursor);
    const notes = scope.view.notes();
    const start = after === null ? 0 : notes.findIndex((row) => row.path > after);
    const page = start < 0 ? [] : notes.slice(start, start + PAGE);
    const resources: Resource[] = page.map((row) => ({
      uri: noteUri(row.path),
      name: row.path,
      title: row.title,
      mimeType: 'text/markdown',
      size: row.size,
    }));
    const last = page.at(-1);
    return {
      resources: after === null ? [...FIXED, ...resources] : resources,
      ...(last !== undefined && last !== notes.at(-1)
        ? { nextCursor: sealCursor(scope, SUBJECT, last.path) }
        : {}),
    };
  });
}

const FIXED: readonly Resource[] = [
  { uri: 'vault://tags', name: 'tags', title: 'Tags', mimeType: 'text/markdown' },
  { uri: 'vault://status', name: 'status', title: 'Status', mimeType: 'text/markdown' },
];

function lastPath({ scope }: McpContext, cursor: string): VaultPath {
  try {
    const position = openCursor(scope, SUBJECT, cursor);
    if (typeof position === 'string') return position as VaultPath;
  } catch (error) {
    if (!isGroveError(error, 'bad_cursor')) throw error;
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor does not belong to this list');
}
