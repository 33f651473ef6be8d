import type { SearchAnswer, SearchRequest } from '@grove/search';
import type { Scope } from '../contract.ts';
import { findStale } from '../notes/recheck.ts';

/** What a search found, each hit judged again. */
export interface FreshAnswer extends SearchAnswer {
  /** Hits left out because they are no longer what the index knew. */
  readonly dropped: number;
  /** True when the engine gave as many hits as it was asked for: there may be more. */
  readonly full: boolean;
}

/** How often a search is made again for hits that changed; those that still do are left out. */
const RETRIES = 2;

/**
 * Searches, and looks at each hit's file before it is served. Where one changed, the catalog and the index take up
 * the change and the search runs again; what is still not as the index knew it then is left out.
 */
export async function searchFresh(scope: Scope, request: SearchRequest): Promise<FreshAnswer> {
  const { view, vault } = scope;
  let { answer, stale } = await searchOnce(scope, request);
  for (let attempt = 1; attempt <= RETRIES && stale.length > 0; attempt += 1) {
    await vault.reconcile(stale);
    ({ answer, stale } = await searchOnce(scope, request));
  }
  const gone = new Set(stale);
  const hits = answer.hits.filter(({ row }) => !gone.has(row.path) && view.byId(row.id) !== null);
  return {
    ...answer,
    hits,
    dropped: answer.hits.length - hits.length,
    full: answer.hits.length === request.limit,
  };
}

async function searchOnce(
  scope: Scope,
  request: SearchRequest,
): Promise<{ answer: SearchAnswer; stale: readonly string[] }> {
  const { view, search, vault } = scope;
  const known = vault.sequence;
  const answer = await search.search(view, request);
  const rows = answer.hits.map(({ row }) => row);
  return { answer, stale: await findStale(scope, rows, known) };
}
