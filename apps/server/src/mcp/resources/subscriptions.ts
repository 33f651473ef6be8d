import type { VaultPath } from '@grove/core';
import type { McpServer, ProtocolEra } from '@modelcontextprotocol/server';
import type { McpContext } from '../context.ts';
import { noteUri, pathOfUri } from './note-uri.ts';

/** Changes that come within this time are told of together. */
const QUIET_MS = 300;

/**
 * Tells the client of changes, by what the View shows before and after: a note that is not visible has none.
 * Revision 2025-11-25 names resources with `resources/subscribe`; on 2026-07-28 the SDK filters what is sent here by
 * the client's `subscriptions/listen`. Watching what is not there succeeds and stays silent until it is.
 */
export function watchResources(server: McpServer, { scope, log }: McpContext, era: ProtocolEra): void {
  const { view, vault } = scope;
  const watched = new Set<VaultPath>();
  if (era === 'legacy') {
    server.server.setRequestHandler('resources/subscribe', (request) => {
      const path = pathOfUri(request.params.uri);
      if (path !== null) watched.add(path);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', (request) => {
      const path = pathOfUri(request.params.uri);
      if (path !== null) watched.delete(path);
      return {};
    });
  }

  /** Members as the client was last told of them. */
  let members = view.ids();
  const touched = new Map<number, VaultPath>();
  let timer: NodeJS.Timeout | null = null;

  const tell = (): void => {
    timer = null;
    const before = members;
    members = view.ids();
    let listChanged = false;
    for (const [id, path] of touched) {
      const was = holds(before, id);
      const is = view.byId(id) !== null;
      if (was !== is) listChanged = true;
      if ((was || is) && (era === 'modern' || watched.has(path)))
        server.server.sendResourceUpdated({ uri: noteUri(path) }).catch(failed);
    }
    touched.clear();
    if (listChanged) server.server.sendResourceListChanged().catch(failed);
  };
  const failed = (error: unknown): void => log.debug({ err: error }, 'a change could not be told');

  const stop = vault.onDelta(async ({ upserted, removed }) => {
    for (const row of upserted) touched.set(row.id, row.path);
    for (const row of removed) touched.set(row.id, row.path);
    timer ??= setTimeout(tell, QUIET_MS).unref();
  });
  server.server.onclose = () => {
    stop();
    if (timer !== null) clearTimeout(timer);
  };
}

/** Binary search in ascending ids. */
function holds(ids: Uint32Array, id: number): boolean {
  let low = 0;
  let high = ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = ids[middle] ?? 0;
    if (value === id) return true;
    if (value < id) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
