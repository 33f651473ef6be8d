import type { SearchRequest } from '@grove/search';
import type { NoteRow } from '@grove/vault';
import { clip } from '../answers/note-facts.ts';
import type { Scope } from '../contract.ts';
import type { CompiledFilters } from '../filters/select.ts';
import { rowByName } from '../notes/locate.ts';
import type { Why } from './contract.ts';

const DEEPEST_RANK = 500;

/**
 * Why a note is not among the hits: it is not there, a filter leaves it out, no word fits, or others rank higher.
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
  const alone = await scope.search.search(scope.view, only(request, row));
  if (alone.hits.length === 0) return { path, reason: 'Nothing in it fits the query.' };
  const all = { ...request, limit: DEEPEST_RANK, offset: 0, snippets: 0 };
  const { hits } = await scope.search.search(scope.view, all);
  const rank = hits.findIndex((hit) => hit.row.id === row.id) + 1;
  if (rank === 0) return { path, reason: `It fits, and ranks below the first ${DEEPEST_RANK}.` };
  return { path, reason: `It fits and has rank ${rank}.`, rank };
}

function only(request: SearchRequest, row: NoteRow): SearchRequest {
  return { ...request, within: Uint32Array.of(row.id), limit: 1, offset: 0, snippets: 0 };
}
