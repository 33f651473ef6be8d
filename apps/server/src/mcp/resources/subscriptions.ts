import {
  type McpServer,
  type ProtocolEra,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { McpContext } from '../context.ts';
import { noteUri, pathOfUri, STATUS_URI, TAGS_URI } from './note-uri.ts';
import { changedUris } from './view-changes.ts';

/** Resources that one connection may watch. */
const MOST_WATCHED = 10_000;

/**
 * Tells the client of a connection of other tools, and of changed resources where it may read, until it closes.
 *
 * @param era that of the connection; null for a caller who may not read
 */
export function watchConnection(server: McpServer, context: McpContext, era: ProtocolEra | null): void {
  const failed = (error: unknown): void => context.log.debug({ err: error }, 'a change could not be told');
  const stops = [
    context.onTools(() => void server.server.sendToolListChanged().catch(failed)),
    ...(era === null ? [] : [watchResources(server, context, era)]),
  ];
  server.server.onclose = () => {
    for (const stop of stops) stop();
  };
}

/**
 * Tells the client of a connection what changes, until the connection closes. Revision 2025-11-25 names resources
 * with `resources/subscribe`; on 2026-07-28 the SDK filters what is sent here by the client's `subscriptions/listen`.
 * Watching what is not there succeeds and stays silent until it is.
 */
function watchResources(server: McpServer, { changes, log }: McpContext, era: ProtocolEra): () => void {
  const watched = new Set<string>();
  if (era === 'legacy') answerSubscriptions(server, watched);
  const failed = (error: unknown): void => log.debug({ err: error }, 'a change could not be told');
  return changes.listen((change) => {
    for (const uri of changedUris(change))
      if (era === 'modern' || watched.has(uri)) server.server.sendResourceUpdated({ uri }).catch(failed);
    if (change.isOtherList) server.server.sendResourceListChanged().catch(failed);
  });
}

function answerSubscriptions(server: McpServer, watched: Set<string>): void {
  server.server.setRequestHandler('resources/subscribe', (request) => {
    const uri = watchable(request.params.uri);
    if (uri === null) return {};
    if (watched.size >= MOST_WATCHED && !watched.has(uri))
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `One connection watches at most ${MOST_WATCHED} resources`,
      );
    watched.add(uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', (request) => {
    const uri = watchable(request.params.uri);
    if (uri !== null) watched.delete(uri);
    return {};
  });
}

/** An address as changes are told under; null for one that names no resource. */
function watchable(uri: string): string | null {
  if (uri === TAGS_URI || uri === STATUS_URI) return uri;
  const path = pathOfUri(uri);
  return path === null ? null : noteUri(path);
}
