import type { SearchHit, SearchRequest, SearchType } from '@grove/search';
import type { NoteRow } from '@grove/vault';
import { clip } from '../answers/note-facts.ts';
import type { Scope } from '../contract.ts';
import type { CompiledFilters } from '../filters/select.ts';
import { rowByName } from '../notes/locate.ts';
import type { Why } from './contract.ts';

const DEEPEST_RANK = 500;
const BY_MEANING: ReadonlySet<SearchType> = new Set(['vec', 'hyde', 'like']);

/**
 * Why a note is not among the hits: it is not there, a filter leaves it out, nothing in it fits, or others rank higher;
 * and how it stands in each of the searches.
 *
 * @throws GroveError `note_ambiguous`
 */
export async function explainAbsence(
  scope: Scope,
  reference: string,
  request: SearchRequest,
  filters: CompiledFilters,
): Promise<Why> {
  const row = rowByName(scope, reference);
  if (row === null) return { path: clip(reference, 200), reason: 'No note answers to that name.' };
  const { path } = row;
  const refused = filters.refusedBy(row);
  if (refused !== null) return { path, reason: `The filter "${refused}" leaves it out.` };
  const { hits: alone } = await scope.search.search(scope.view, only(request, row));
  const [own] = alone;
  if (own === undefined) return { path, reason: `Nothing in it fits the query.${embeddingOf(scope, row)}` };
  const all = { ...request, limit: DEEPEST_RANK, offset: 0, snippets: 0 };
  const { hits } = await scope.search.search(scope.view, all);
  const rank = hits.findIndex((hit) => hit.row.id === row.id) + 1;
  const standing = standings(scope, request, own, hits[rank - 1] ?? null);
  if (rank === 0) return { path, reason: `It fits, and ranks below the first ${DEEPEST_RANK}.${standing}` };
  return { path, reason: `It fits and has rank ${rank}.${standing}`, rank };
}

/** How the note stands in each search, where meaning has a part in it; empty where words alone do. */
function standings(scope: Scope, request: SearchRequest, own: SearchHit, hit: SearchHit | null): string {
  if (scope.search.health().meaning === null || !request.searches.some(({ type }) => BY_MEANING.has(type)))
    return '';
  const said = request.searches.map(({ type }, search) => {
    const place = hit?.found.find((finding) => finding.search === search);
    if (place !== undefined) return `${type}: rank ${place.rank}`;
    const fits = own.found.some((finding) => finding.search === search);
    if (fits) return `${type}: further down`;
    return BY_MEANING.has(type) ? `${type}: not found by meaning` : `${type}: no match`;
  });
  return ` ${said.join('; ')}.${embeddingOf(scope, own.row)}`;
}

/** Said of a note that has no vectors, for that is why meaning does not find it. */
function embeddingOf({ search, view }: Scope, { id }: NoteRow): string {
  return search.isEmbedded(view, id) === false ? ' It is not embedded yet.' : '';
}

function only(request: SearchRequest, row: NoteRow): SearchRequest {
  return { ...request, within: Uint32Array.of(row.id), limit: 1, offset: 0, snippets: 0 };
}
