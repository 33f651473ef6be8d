import type { SearchHit, SearchList, SearchRequest, SearchType } from '@grove/search';
import type { NoteRow } from '@grove/vault';
import { clip } from '../answers/note-facts.ts';
import type { Scope } from '../contract.ts';
import type { CompiledFilters } from '../filters/select.ts';
import { rowByName } from '../notes/locate.ts';
import type { Why } from './contract.ts';

const DEEPEST_RANK = 500;
const BY_MEANING: ReadonlySet<SearchType> = new Set(['vec', 'hyde', 'like']);

/**
 * Why a note is not among the hits: it is not there, a filter or an operator of the query leaves it out, nothing in it
 * fits, or others rank higher; and how it stands in each of the searches.
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
  const refused = await filters.refusedBy(row);
  if (refused !== null) return { path, reason: `The filter "${refused}" leaves it out.` };
  const all = { ...request, limit: DEEPEST_RANK, offset: 0, snippets: 0 };
  const { hits } = await scope.search.search(scope.view, all);
  const rank = hits.findIndex((hit) => hit.row.id === row.id) + 1;
  const against = await Promise.all(request.searches.map((search) => leftOutBy(scope, search, request, row)));
  const [first] = against;
  if (rank === 0 && typeof first === 'string' && against.every((reason) => reason !== null))
    return { path, reason: `It is left out by ${first}.` };
  const { hits: alone } = await scope.search.search(scope.view, only(request, row));
  const [own] = alone;
  if (own === undefined) return { path, reason: `Nothing in it fits the query.${embeddingOf(scope, row)}` };
  const standing = standings(scope, request, { own, hit: hits[rank - 1] ?? null, against });
  if (rank === 0) return { path, reason: `It fits, and ranks below the first ${DEEPEST_RANK}.${standing}` };
  return { path, reason: `It fits and has rank ${rank}.${standing}`, rank };
}

/** What of a search leaves the note out, whatever stands in it; null where nothing does. */
async function leftOutBy(
  { search, view }: Scope,
  { type, query, operators }: SearchList,
  { within }: SearchRequest,
  row: NoteRow,
): Promise<string | null> {
  if (type === 'like') {
    const compared = view.resolve(query);
    const isItself = compared.kind === 'found' && compared.row.id === row.id;
    return isItself ? 'like, which compares others with it' : null;
  }
  if (type !== 'lex' && operators !== true) return null;
  const operator = await search.operatorAgainst(view, query, within, row.id);
  return operator === null ? null : `${clip(operator, 100)} in the query`;
}

interface Standing {
  /** What the note alone is as a hit. */
  readonly own: SearchHit;
  /** What it is among the others; null below the deepest rank. */
  readonly hit: SearchHit | null;
  /** What leaves it out of each search. */
  readonly against: readonly (string | null)[];
}

/** How the note stands in each search, where meaning has a part in it; empty where words alone do. */
function standings(scope: Scope, request: SearchRequest, { own, hit, against }: Standing): string {
  if (scope.search.health().meaning === null || !request.searches.some(({ type }) => BY_MEANING.has(type)))
    return '';
  const said = request.searches.map(({ type }, search) => {
    const place = hit?.found.find((finding) => finding.search === search);
    if (place !== undefined) return `${type}: rank ${place.rank}`;
    if (typeof against[search] === 'string') return `${type}: left out by ${against[search]}`;
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
