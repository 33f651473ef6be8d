import type { QueryNode } from '../engine/port.ts';
import type { Clause } from '../language/lex-query.ts';
import { parseLex } from '../language/parse-lex.ts';
import { restrict } from '../language/restrict.ts';
import { planLex } from '../ranking/plan-lex.ts';
import type { SearchScope } from '../ranking/ranking.ts';

type WordScope = Omit<SearchScope, 'meaning'>;

/**
 * The operator of a query in the lex language that keeps a note out, as it may be written, or null. What a search
 * passes over is not held against the note: required parts that no note of the scope has together.
 *
 * @example await operatorAgainst(scope, 'bread -rye', id) // '-rye' for a note that holds "rye"
 */
export async function operatorAgainst(scope: WordScope, query: string, id: number): Promise<string | null> {
  const { clauses } = parseLex(query);
  const filter = clauses.find((clause) => restrict(scope.view, [clause], Uint32Array.of(id))?.length === 0);
  if (filter !== undefined) return written(filter);
  const isFree = ({ field, form, negated }: Clause) => field === null && form !== 'phrase' && !negated;
  const free = clauses.filter(isFree);
  const [note, all] = [Uint32Array.of(id), restrict(scope.view, clauses, scope.within)];
  const { demanded } = planLex({ clauses, cut: false }, scope.tokens);
  const isHeld = demanded !== null && (await fits(scope, demanded, all));
  for (const clause of clauses.filter((one) => !isFree(one))) {
    // Among its free words, for they decide whether a phrase is required.
    const plan = planLex({ clauses: [...free, clause], cut: false }, scope.tokens);
    const asked = clause.negated ? plan.permitted : isHeld ? plan.demanded : null;
    if (asked !== null && !(await fits(scope, asked, note))) return written(clause);
  }
  return null;
}

async function fits(scope: WordScope, query: QueryNode, among: Uint32Array | null): Promise<boolean> {
  const { total } = await scope.index.search({
    query,
    view: scope.members,
    filter: among === null ? null : scope.setOf(among),
    limit: 0,
    snippets: null,
  });
  return total > 0;
}

function written({ negated, field, form, text }: Clause): string {
  const shown = form === 'phrase' ? `"${text}"` : form === 'prefix' ? `${text}*` : text;
  return `${negated ? '-' : ''}${field === null ? '' : `${field}:`}${shown}`;
}
