import type { SearchAnswer, SearchRequest } from '@grove/search';
import type { NoteRow } from '@grove/vault';
import { TEXT_BYTES } from '../answers/size.ts';
import type { Scope } from '../contract.ts';
import { openCursor, sealCursor } from '../cursors/cursor.ts';
import { emptyRemarks } from '../filters/empty.ts';
import { compileFilters, selectRows } from '../filters/select.ts';
import { buildingRemarks } from '../vault-status/building.ts';
import type { QueryAnswer, QueryInput } from './contract.ts';
import { presentHits } from './hits.ts';
import { collectPassages } from './passages.ts';
import { planSearches } from './plan.ts';
import { searchFresh } from './search-fresh.ts';
import { explainAbsence } from './why.ts';

const PASSAGE_CHARS = 12_000;
const SNIPPETS_FOR_PASSAGES = 5;

/**
 * Searches the View, judges each hit again by what is on disk now, and answers with hits or passages.
 *
 * @throws GroveError `bad_cursor`, `bad_filter`, `bad_path`, `bad_regex`, `index_unavailable`
 */
export async function runQuery(scope: Scope, input: QueryInput): Promise<QueryAnswer> {
  const { cursor, limit, max_chars: _, explain: __, why: ___, ...rest } = input;
  const subject = { operation: 'query', input: rest };
  const offset = cursor === null ? 0 : readOffset(openCursor(scope, subject, cursor));
  const plan = planSearches(input, scope.search.health().meaning !== null);
  const filters = await compileFilters(scope, input);
  const within = filters.everything ? null : idsOf(await selectRows(scope.view, filters));
  const passages = input.return === 'passages';
  const request: SearchRequest = {
    searches: plan.searches,
    intent: input.intent,
    within,
    limit,
    offset,
    snippets: passages ? SNIPPETS_FOR_PASSAGES : 1,
  };
  const found = await searchFresh(scope, request);
  const shown = passages
    ? { passages: await collectPassages(scope, found.hits, input.max_chars ?? PASSAGE_CHARS) }
    : { hits: presentHits(scope, found.hits, plan.searches, input.explain, input.max_chars ?? TEXT_BYTES) };
  const used = shown.passages?.notes ?? shown.hits?.length ?? 0;
  const next = offset + used + found.dropped;
  const more = used < found.hits.length || goesOn(found, next, limit);
  const missed = found.hits.length === 0 && offset === 0;
  const unfiltered = missed && within !== null ? await unfilteredRemarks(scope, request) : [];
  const why = input.why === null ? undefined : await explainAbsence(scope, input.why, request, filters);
  return {
    ...(found.total === null ? {} : { total: found.total }),
    ...(shown.hits === undefined ? {} : { hits: shown.hits }),
    ...(shown.passages === undefined ? {} : { passages: [...shown.passages.passages] }),
    ...(why === undefined ? {} : { why }),
    suggestions: missed && unfiltered.length === 0 ? [...found.suggestions] : [],
    remarks: distinct([
      ...buildingRemarks(scope),
      ...filters.remarks,
      ...(within?.length === 0 ? await emptyRemarks(scope, input) : []),
      ...unfiltered,
      ...plan.remarks,
      ...found.remarks,
    ]),
    ...(more ? { cursor: sealCursor(scope, subject, next) } : {}),
  };
}

/** Where the filters are what left nothing, that is said rather than which other words to try. */
async function unfilteredRemarks(scope: Scope, request: SearchRequest): Promise<readonly string[]> {
  const { hits, total } = await scope.search.search(scope.view, {
    ...request,
    within: null,
    limit: 1,
    snippets: 0,
  });
  if (hits.length === 0) return [];
  const notes = total === null ? 'notes fit' : total === 1 ? '1 note fits' : `${total} notes fit`;
  return [`Without the filters ${notes}.`];
}

function readOffset(position: unknown): number {
  return typeof position === 'number' && Number.isSafeInteger(position) && position >= 0 ? position : 0;
}

/** Ids in ascending order. */
function idsOf(rows: readonly NoteRow[]): Uint32Array {
  return Uint32Array.from(rows, (row) => row.id).sort();
}

function goesOn(found: SearchAnswer & { readonly full: boolean }, next: number, limit: number): boolean {
  if (!found.full || limit === 0) return false;
  return found.total === null || next < found.total;
}

function distinct(remarks: readonly string[]): string[] {
  return [...new Set(remarks)];
}
