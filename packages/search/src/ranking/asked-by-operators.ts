import type { QueryNode } from '../engine/port.ts';
import { parseLex } from '../language/parse-lex.ts';
import { restrict } from '../language/restrict.ts';
import { planLex } from './plan-lex.ts';
import type { SearchScope } from './ranking.ts';

/** What a query in the lex language asks of a search that is not by words. */
export interface Asked {
  /** Its wanted words, in their order, without operators; empty when it only filters. */
  readonly words: string;
  /** Ids that its operators and the scope leave, ascending; null when nothing restricts. */
  readonly within: Uint32Array | null;
}

/**
 * Reads of a query in the lex language what it wants and which notes it leaves: filters, what is excluded, what is
 * required. Required parts that no note holds are passed over, as lex does.
 */
export async function askedByOperators(scope: SearchScope, query: string): Promise<Asked> {
  const parsed = parseLex(query);
  const wanted = parsed.clauses.filter(
    ({ negated, field }) => !negated && field !== 'tag' && field !== 'path',
  );
  const isPlain = wanted.length === parsed.clauses.length && wanted.every(({ field }) => field === null);
  // As it was written: a sentence says more than its words.
  const words =
    isPlain && wanted.every(({ form }) => form === 'word') ? query : wanted.map(({ text }) => text).join(' ');
  const allowed = restrict(scope.view, parsed.clauses, scope.within);
  const { demanded, permitted } = planLex(parsed, scope.tokens);
  const left = demanded === null ? null : await idsOf(scope, demanded, allowed);
  if (left !== null && left.length > 0) return { words, within: left };
  return { words, within: permitted === null ? allowed : await idsOf(scope, permitted, allowed) };
}

async function idsOf(
  scope: SearchScope,
  query: QueryNode,
  allowed: Uint32Array | null,
): Promise<Uint32Array> {
  const { hits } = await scope.index.search({
    query,
    view: scope.members,
    filter: allowed === null ? null : scope.setOf(allowed),
    limit: scope.members.size,
    snippets: null,
  });
  return Uint32Array.from(hits, ({ id }) => id).sort();
}
