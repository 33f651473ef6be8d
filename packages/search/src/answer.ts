import type { Finding, SearchAnswer, SearchHit, SearchList, SearchRequest } from './contract.ts';
import type { EngineSnippet, LexicalRequest, NoteSet, QueryNode, ScanHit } from './engine/port.ts';
import { reciprocalRank } from './fusion/fuse.ts';
import { plainWords } from './language/plain-words.ts';
import { rankLike } from './likeness/rank-like.ts';
import { rankRegex, rankText } from './literal/rank-text.ts';
import { suggest } from './misses/suggest.ts';
import { rankLex } from './ranking/rank-lex.ts';
import {
  type LineQuery,
  type RankedNote,
  type Ranking,
  type SearchScope,
  steering,
} from './ranking/ranking.ts';

/** How deep each of several lists is read. Fixed: were it to grow with the offset, pages would not fit together. */
const FUSED_DEPTH = 1000;
const SNIPPET_UNITS = 240;
const LINES = 10;

interface RankedList {
  readonly search: SearchList;
  /** Places in the request's `searches` that this list answers. */
  readonly places: readonly number[];
  readonly ranking: Ranking;
}

interface Page {
  readonly notes: readonly RankedNote[];
  readonly total: number | null;
}

/** Answers one request over the scope's View. Throws `bad_regex`. */
export async function answer(scope: SearchScope, request: SearchRequest): Promise<SearchAnswer> {
  const wanted = distinct(request.searches);
  const depth = wanted.length > 1 ? FUSED_DEPTH : request.offset + request.limit;
  // The first page of one list is what its ranking begins with: one pass of the engine gives both.
  const inPassing = wanted.length === 1 && request.offset === 0 && request.intent === null;
  const snippets = inPassing ? snippetOptions(request) : null;
  const lists = await Promise.all(
    wanted.map(async ({ search, places }): Promise<RankedList> => {
      return { search, places, ranking: await rank(scope, search, request.intent, depth, snippets) };
    }),
  );
  const { notes, total } = lists.length === 1 ? pageOf(lists[0]!.ranking) : fused(lists);
  const page = notes.slice(request.offset, request.offset + request.limit);
  const remarks = [...wordsOnly(request.searches), ...lists.flatMap(({ ranking }) => ranking.remarks)];
  return {
    total,
    hits: await present(scope, request, lists, page),
    remarks: [...new Set(remarks)],
    suggestions:
      notes.length > 0 ? [] : await suggest(scope, request.searches.map(({ query }) => query).join(' ')),
  };
}

/**
 * Lists that are answered alike are one list: until there is an embedder, vec and hyde of a query that is
 * searched by lex as well are that lex search, with its exclusions and filters.
 */
function distinct(searches: readonly SearchList[]): { search: SearchList; places: number[] }[] {
  const lists = new Map<string, { search: SearchList; places: number[] }>();
  const order = [...searches.entries()].sort(([, a], [, b]) => Number(byMeaning(a)) - Number(byMeaning(b)));
  for (const [place, search] of order) {
    const key = JSON.stringify([byMeaning(search) ? 'lex' : search.type, search.query]);
    const known = lists.get(key);
    if (known === undefined) lists.set(key, { search, places: [place] });
    else known.places.push(place);
  }
  return [...lists.values()];
}

function byMeaning({ type }: SearchList): boolean {
  return type === 'vec' || type === 'hyde';
}

function rank(
  scope: SearchScope,
  search: SearchList,
  intent: string | null,
  depth: number,
  snippets: LexicalRequest['snippets'],
): Promise<Ranking> {
  switch (search.type) {
    case 'lex':
      return rankLex(scope, search.query, intent, depth, snippets);
    case 'vec':
    case 'hyde':
      return rankLex(scope, plainWords(search.query), intent, depth, snippets);
    case 'like':
      return rankLike(scope, search.query, depth);
    case 'text':
      return rankText(scope, search.query);
    case 'regex':
      return rankRegex(scope, search.query);
  }
}

function wordsOnly(searches: readonly SearchList[]): readonly string[] {
  const types = new Set(searches.map(({ type }) => type).filter((type) => /^(?:vec|hyde|like)$/.test(type)));
  return [...types].map((type) => `${type} was answered by words: no embedding model is set up.`);
}

function pageOf({ notes, total }: Ranking): Page {
  return { notes, total };
}

function fused(lists: readonly RankedList[]): Page {
  const byPath = new Map<string, RankedNote>();
  const exact = new Map<string, RankedNote>();
  for (const { ranking } of lists) {
    for (const note of ranking.notes.slice(0, FUSED_DEPTH)) {
      byPath.set(note.row.path, note);
      if (note.exact) exact.set(note.row.path, note);
    }
  }
  const order = reciprocalRank(
    lists.map(({ ranking }) => ranking.notes.slice(0, FUSED_DEPTH).map(({ row }) => row.path)),
  );
  const notes = order.map(({ key, score }) => ({ row: byPath.get(key)!.row, score, exact: exact.has(key) }));
  const whole = lists.every(({ ranking }) => ranking.total <= Math.min(ranking.notes.length, FUSED_DEPTH));
  return {
    notes: [...notes.filter((note) => note.exact), ...notes.filter((note) => !note.exact)],
    total: whole ? notes.length : null,
  };
}

async function present(
  scope: SearchScope,
  request: SearchRequest,
  lists: readonly RankedList[],
  page: readonly RankedNote[],
): Promise<readonly SearchHit[]> {
  if (page.length === 0) return [];
  const shown = scope.setOf(Uint32Array.from(page, ({ row }) => row.id));
  const [snippets, lines] = await Promise.all([
    snippetsOf(scope, request, lists, page, shown),
    linesOf(scope, lists, shown),
  ]);
  const findings = findingsOf(lists, request.searches, shown);
  return page.map(({ row, score, exact }) => ({
    row,
    score,
    exact,
    snippets: (snippets.get(row.id) ?? []).map(({ text, start, line, marks }) => ({
      text,
      start,
      line,
      marks,
    })),
    lines: lines.get(row.id)?.lines ?? [],
    lineCount: lines.get(row.id)?.lineCount ?? 0,
    found: findings.get(row.id) ?? [],
  }));
}

async function snippetsOf(
  scope: SearchScope,
  request: SearchRequest,
  lists: readonly RankedList[],
  page: readonly RankedNote[],
  shown: NoteSet,
): Promise<ReadonlyMap<number, readonly EngineSnippet[]>> {
  const options = snippetOptions(request);
  if (options === null) return new Map();
  const cut = lists.length === 1 ? lists[0]!.ranking.snippets : undefined;
  if (cut !== undefined && page.every(({ row }) => cut.get(row.id)?.length)) return cut;
  // Every note of the page gets a snippet, also one that its name alone brought up.
  const should: QueryNode[] = [...lists.map(({ ranking }) => ranking.marking), { kind: 'all', boost: 0 }];
  const { hits } = await scope.index.search({
    query: { kind: 'bool', should },
    view: scope.members,
    filter: shown,
    limit: shown.size,
    snippets: options,
  });
  return new Map(hits.map(({ id, snippets }) => [id, snippets]));
}

function snippetOptions({ snippets, intent }: SearchRequest): LexicalRequest['snippets'] {
  if (snippets === 0) return null;
  const terms = steering(intent).toWellFormed();
  return { chars: SNIPPET_UNITS, perNote: snippets, terms };
}

/** Matching lines for the first list that asks for them. */
async function linesOf(
  scope: SearchScope,
  lists: readonly RankedList[],
  shown: NoteSet,
): Promise<ReadonlyMap<number, ScanHit>> {
  const queries = lists.flatMap(({ ranking }): LineQuery[] =>
    ranking.lines === null ? [] : [ranking.lines],
  );
  const found = new Map<number, ScanHit>();
  for (const { words, regex } of queries) {
    const hits = await scope.index.scan({
      view: scope.members,
      filter: shown,
      words,
      regex,
      linesPerNote: LINES,
    });
    for (const hit of hits) if (!found.has(hit.id)) found.set(hit.id, hit);
  }
  return found;
}

function findingsOf(
  lists: readonly RankedList[],
  searches: readonly SearchList[],
  shown: NoteSet,
): ReadonlyMap<number, readonly Finding[]> {
  const findings = new Map<number, Finding[]>();
  for (const { places, ranking } of lists) {
    for (const [place, { row, score }] of ranking.notes.entries()) {
      if (!shown.has(row.id)) continue;
      const found = places.map((at) => ({ search: at, type: searches[at]!.type, rank: place + 1, score }));
      findings.set(
        row.id,
        [...(findings.get(row.id) ?? []), ...found].sort((a, b) => a.search - b.search),
      );
    }
  }
  return findings;
}
