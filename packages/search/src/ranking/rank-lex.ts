import type { NoteRow } from '@grove/vault';
import type { LexicalRequest, LexicalResult, NoteSet, QueryNode } from '../engine/port.ts';
import { type Clause, type LexQuery, MAX_CLAUSES } from '../language/lex-query.ts';
import { parseLex } from '../language/parse-lex.ts';
import { plainWords } from '../language/plain-words.ts';
import { restrict } from '../language/restrict.ts';
import { parseText } from '../literal/parse-text.ts';
import { rankLiterally } from '../literal/rank-literally.ts';
import { type LexPlan, planLex } from './plan-lex.ts';
import { emptyRanking, type RankedNote, type Ranking, type SearchScope, steering } from './ranking.ts';
import { type Substitutes, substitutesFor } from './substitutes.ts';

/** An intent orders what is level but for it: a rare word weighs about 10, the whole intent less than 1. */
const INTENT_BOOST = 0.02;

/**
 * Ranks the View's notes for a query in the lex language. A note of exactly that name comes first; then BM25
 * decides. A word that no note holds is replaced by the nearest ones; required parts that no note holds are
 * made optional; what still finds nothing is searched as literal text. Each such step is said in a remark.
 *
 * @param depth how many notes of the ranking are wanted
 * @param snippets how their snippets are cut, where the page is known to be these notes
 */
export async function rankLex(
  scope: SearchScope,
  query: string,
  intent: string | null,
  depth: number,
  snippets: LexicalRequest['snippets'] = null,
): Promise<Ranking> {
  const parsed = parseLex(query);
  const remarks: string[] = [];
  if (parsed.cut)
    remarks.push(`The query is long: its first ${MAX_CLAUSES} different words were searched for.`);
  const allowed = restrict(scope.view, parsed.clauses, scope.within);
  if (allowed?.length === 0 || scope.members.size === 0) return { ...emptyRanking, remarks };
  const filter = allowed === null ? null : scope.setOf(allowed);

  // What excludes is no name, but for a note that is spelt just so.
  const excludes = parsed.clauses.some((clause) => clause.negated);
  const named = scope.names
    .find(scope.view, nameIn(parsed, query), excludes)
    .filter((row) => filter === null || filter.has(row.id));
  const plan = planLex(parsed, scope.tokens);
  const found = await findByWords(
    scope,
    parsed,
    plan,
    { filter, intent, depth: depth + named.length, snippets },
    remarks,
  );
  if (found === null || (found.result.total === 0 && named.length === 0)) {
    const permitted = await permittedBy(scope, plan.permitted, filter);
    const literal = await rankLiterally(scope, literalParts(parsed, query), permitted, named);
    return { ...literal, remarks: [...remarks, ...literal.remarks] };
  }
  return {
    ...(await withNamedFirst(scope, found, named)),
    marking: found.query,
    lines: null,
    remarks,
    coverage: found.coverage,
    ...(snippets === null
      ? {}
      : { snippets: new Map(found.result.hits.map((hit) => [hit.id, hit.snippets])) }),
  };
}

interface Found {
  readonly query: QueryNode;
  readonly result: LexicalResult;
  readonly coverage: number;
}

interface Limits {
  readonly filter: NoteSet | null;
  readonly intent: string | null;
  readonly depth: number;
  readonly snippets: LexicalRequest['snippets'];
}

async function findByWords(
  scope: SearchScope,
  parsed: LexQuery,
  plan: LexPlan,
  limits: Limits,
  remarks: string[],
): Promise<Found | null> {
  if (plan.query === null) return null;
  const run = async (query: QueryNode): Promise<Pick<Found, 'query' | 'result'>> => ({
    query,
    result: await scope.index.search({
      query: steered(scope, query, limits.intent),
      view: scope.members,
      filter: limits.filter,
      limit: limits.depth,
      snippets: limits.snippets,
    }),
  });
  const [asWritten, substitutes] = await Promise.all([run(plan.query), substitutesFor(scope, plan.words)]);
  let found = asWritten;
  let best = plan;
  if (substitutes.byClause.size > 0) {
    best = planLex(parsed, scope.tokens, substitutes.byClause);
    if (best.query !== null) found = await run(best.query);
    if (found.result.total > 0) remarks.push(...substitutes.remarks);
  }
  if (found.result.total === 0 && best.relaxed !== null) {
    found = await run(best.relaxed);
    if (found.result.total > 0)
      remarks.push('No note holds every required part; these hold some of the query.');
  }
  return { ...found, coverage: coverageOf(plan.words, substitutes) };
}

/** How much of the query its words' notes can speak for; what stands in for a word is a guess, and counts half. */
function coverageOf(words: readonly Clause[], { unknown, byClause }: Substitutes): number {
  if (words.length === 0) return 1;
  return 1 - (unknown.length - byClause.size / 2) / words.length;
}

/** Every hit must match the query; the intent only adds to its score. */
function steered(scope: SearchScope, query: QueryNode, intent: string | null): QueryNode {
  if (intent === null) return query;
  const hint = planLex(parseLex(plainWords(steering(intent))), scope.tokens).query;
  if (hint === null) return query;
  return { kind: 'bool', must: [query], should: [{ kind: 'bool', should: [hint], boost: INTENT_BOOST }] };
}

/** The text that may be a note's name: a lone phrase or `title:` clause without its marks, else the query. */
function nameIn(parsed: LexQuery, query: string): string {
  const [first, ...rest] = parsed.clauses;
  const alone = first !== undefined && rest.length === 0 && !first.negated;
  const marked = alone && (first.form === 'phrase' || first.field === 'title');
  return marked && (first.field === null || first.field === 'title') ? first.text : query;
}

/** What is looked for literally: the wanted clauses' texts, or the whole query when it holds no clause. */
function literalParts(parsed: LexQuery, query: string): readonly string[] {
  const wanted = parsed.clauses.filter(
    (clause) => !clause.negated && clause.field !== 'tag' && clause.field !== 'path',
  );
  return wanted.length > 0 ? wanted.map((clause) => clause.text) : parseText(query);
}

async function permittedBy(
  scope: SearchScope,
  permitted: QueryNode | null,
  filter: NoteSet | null,
): Promise<NoteSet | null> {
  if (permitted === null) return filter;
  const { hits } = await scope.index.search({
    query: permitted,
    view: scope.members,
    filter,
    limit: scope.members.size,
    snippets: null,
  });
  return scope.setOf(Uint32Array.from(hits, (hit) => hit.id));
}

async function withNamedFirst(
  scope: SearchScope,
  found: Found,
  named: readonly NoteRow[],
): Promise<{ notes: readonly RankedNote[]; total: number }> {
  const { hits, total } = found.result;
  const notes: RankedNote[] = [];
  const placed = new Set(named.map((row) => row.id));
  const scores = new Map(hits.filter(({ id }) => placed.has(id)).map(({ id, score }) => [id, score]));
  for (const row of named) notes.push({ row, score: scores.get(row.id) ?? 0, exact: true });
  for (const hit of hits) {
    const row = placed.has(hit.id) ? null : scope.view.byId(hit.id);
    if (row !== null) notes.push({ row, score: hit.score, exact: false });
  }
  const unseen = named.filter((row) => !scores.has(row.id));
  if (unseen.length === 0 || total === 0) return { notes, total: total + unseen.length };
  // A note found by its name may also match further down than was asked: it is counted once.
  const matching = await scope.index.search({
    query: found.query,
    view: scope.members,
    filter: scope.setOf(Uint32Array.from(unseen, (row) => row.id)),
    limit: 0,
    snippets: null,
  });
  return { notes, total: total + unseen.length - matching.total };
}
