import type { Finding, SearchAnswer, SearchHit, SearchList, SearchRequest } from './contract.ts';
import type { EngineSnippet, LexicalRequest, NoteSet, QueryNode, ScanHit } from './engine/port.ts';
import {
  alike,
  type Depths,
  FUSED_DEPTHS,
  type FusedNotes,
  fuseRankings,
  HEAD_DEPTHS,
} from './fusion/fuse-rankings.ts';
import { rankRegex, rankText } from './literal/rank-text.ts';
import { rankMeaning } from './meaning/rank-meaning.ts';
import { textSnippets } from './meaning/text-snippets.ts';
import { suggest } from './misses/suggest.ts';
import { rankLex } from './ranking/rank-lex.ts';
import {
  type LineQuery,
  type RankedNote,
  type Ranking,
  type SearchScope,
  steering,
} from './ranking/ranking.ts';

const SNIPPET_UNITS = 240;
const LINES = 10;

interface RankedList {
  readonly search: SearchList;
  /** Places in the request's `searches` that this list answers. */
  readonly places: readonly number[];
  readonly ranking: Ranking;
}

/** Answers one request over the scope's View. Throws `bad_regex`. */
export async function answer(scope: SearchScope, request: SearchRequest): Promise<SearchAnswer> {
  const wanted = distinct(request.searches, scope.meaning !== null);
  // The first page of one list is what its ranking begins with: one pass of the engine gives both.
  const inPassing = wanted.length === 1 && request.offset === 0 && request.intent === null;
  const snippets = inPassing ? snippetOptions(request) : null;
  const rankTo = (depths: Depths) =>
    Promise.all(
      wanted.map(async ({ search, places }): Promise<RankedList> => {
        return { search, places, ranking: await rank(scope, search, request.intent, depths, snippets) };
      }),
    );
  const lists = await rankedLists(scope, wanted.length, request.offset + request.limit, rankTo);
  const { notes, total } = await asOne(scope, lists, request.offset + request.limit);
  const page = notes.slice(request.offset, request.offset + request.limit);
  const said = scope.meaning === null ? wordsOnly(request.searches) : [];
  const remarks = [...said, ...lists.flatMap(({ ranking }) => ranking.remarks)];
  return {
    total,
    hits: await present(scope, request, lists, page),
    remarks: [...new Set(remarks)],
    suggestions:
      notes.length > 0 ? [] : await suggest(scope, request.searches.map(({ query }) => query).join(' ')),
  };
}

/**
 * The lists, as deep as they are needed. The first notes of what is fused with meaning are those that some list has among
 * its first, whatever stands further down there.
 */
async function rankedLists(
  scope: SearchScope,
  count: number,
  wanted: number,
  rankTo: (depths: Depths) => Promise<readonly RankedList[]>,
): Promise<readonly RankedList[]> {
  if (count === 1) return await rankTo(alike(wanted));
  if (scope.fusion !== 'z' || scope.meaning === null || wanted > HEAD_DEPTHS.words)
    return await rankTo(FUSED_DEPTHS);
  const lists = await rankTo(HEAD_DEPTHS);
  // Without a vector, because the embedder fails, they are fused by rank, to their full depth.
  return lists.some(({ ranking }) => ranking.vector !== undefined) ? lists : await rankTo(FUSED_DEPTHS);
}

/**
 * Lists that are answered alike are one list: where there is no embedder, vec and hyde of a query that is searched by
 * lex as well are that lex search, with its exclusions and filters.
 */
function distinct(
  searches: readonly SearchList[],
  hasVectors: boolean,
): { search: SearchList; places: number[] }[] {
  const lists = new Map<string, { search: SearchList; places: number[] }>();
  const isByWords = (search: SearchList) => !hasVectors && byMeaning(search);
  const order = [...searches.entries()].sort(([, a], [, b]) => Number(isByWords(a)) - Number(isByWords(b)));
  for (const [place, search] of order) {
    const { operators = false } = search;
    const key = JSON.stringify([
      isByWords(search) ? 'lex' : search.type,
      search.query,
      !isByWords(search) && operators,
    ]);
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
  depths: Depths,
  snippets: LexicalRequest['snippets'],
): Promise<Ranking> {
  switch (search.type) {
    case 'lex':
      return rankLex(scope, search.query, intent, depths.words, snippets);
    case 'vec':
    case 'hyde':
    case 'like':
      return rankMeaning(scope, search, intent, depths);
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

/** @param wanted how many notes are, at least */
async function asOne(scope: SearchScope, lists: readonly RankedList[], wanted: number): Promise<FusedNotes> {
  const [only] = lists;
  if (only === undefined || lists.length > 1)
    return await fuseRankings(
      scope,
      lists.map(({ ranking }) => ranking),
      wanted,
    );
  const { notes, total, vector } = only.ranking;
  return { notes, total: vector === undefined ? total : null };
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
  const findings = findingsOf(lists, request.searches, page);
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
  const rankings = lists.map(({ ranking }) => ranking);
  const byWords = new Set(
    rankings.flatMap(({ vector, notes }) => (vector === undefined ? notes.map(({ row }) => row.id) : [])),
  );
  // Of a note that has one snippet, found by its words, no other part is shown.
  const shownByMeaning = page.filter(({ row }) => options.perNote > 1 || !byWords.has(row.id));
  const [{ hits }, nearest] = await Promise.all([
    scope.index.search({
      query: { kind: 'bool', should },
      view: scope.members,
      filter: shown,
      limit: shown.size,
      snippets: options,
    }),
    textSnippets(scope, rankings, shownByMeaning, SNIPPET_UNITS),
  ]);
  return new Map(
    hits.map(({ id, snippets }) => {
      const near = nearest.get(id);
      if (near === undefined) return [id, snippets];
      // What only its meaning brought up is shown where that is; a match of words is what a reader looks for first.
      if (!byWords.has(id)) return [id, [near]];
      return [id, [...snippets.slice(0, 1), near, ...snippets.slice(1)].slice(0, options.perNote)];
    }),
  );
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
  page: readonly RankedNote[],
): ReadonlyMap<number, readonly Finding[]> {
  const findings = new Map(page.map(({ row }): [number, Finding[]] => [row.id, []]));
  for (const { places, ranking } of lists) {
    ranking.notes.forEach(({ row, score }, place) => {
      const found = findings.get(row.id);
      if (found === undefined) return;
      for (const at of places) found.push({ search: at, type: searches[at]!.type, rank: place + 1, score });
    });
  }
  for (const found of findings.values()) found.sort((a, b) => a.search - b.search);
  return findings;
}
