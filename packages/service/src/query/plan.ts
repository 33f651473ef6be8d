import { GroveError } from '@grove/core';
import type { SearchList } from '@grove/search';
import type { QueryInput } from './contract.ts';

/** The searches of a call. */
export interface SearchPlan {
  readonly searches: readonly SearchList[];
  readonly remarks: readonly string[];
}

/** A question is shorter; what stands beyond this in a text, a pasted one perhaps, says little more. In UTF-16 units. */
const LONGEST_QUERY = 20_000;
const CUT = `The query is long: its first ${LONGEST_QUERY.toLocaleString('en')} characters were searched for.`;
const BY_WORDS = 'vec and hyde were answered by words: no embedding model is set up.';

/**
 * What is searched for: `query` by words and by meaning, fused with `searches`. Where there is no embedding model, a search
 * by meaning whose words are searched for already is left out, so that nothing counts twice.
 *
 * @param hasEmbedder whether a model is set up
 */
export function planSearches(
  input: Pick<QueryInput, 'query' | 'searches'>,
  hasEmbedder: boolean,
): SearchPlan {
  const { query } = input;
  const byWords: readonly SearchList[] = query === null ? [] : [{ type: 'lex', query }];
  const whole: readonly SearchList[] = [
    ...byWords,
    ...(query === null || !hasEmbedder ? [] : [{ type: 'vec', query, operators: true } as const]),
    ...input.searches,
  ];
  const asked = whole.map(cut);
  const searches: SearchList[] = [];
  const byMeaning = asked.some(({ type }) => type === 'vec' || type === 'hyde');
  for (const search of asked) {
    const words = asWords(search);
    const known = !hasEmbedder && searches.some((other) => asWords(other) === words && words !== null);
    const same = searches.some((other) => other.type === search.type && other.query === search.query);
    if (!known && !same) searches.push(search);
  }
  // Where a search by meaning is left, the engine says itself how it was answered.
  const left = searches.some(({ type }) => type === 'vec' || type === 'hyde');
  const isCut = whole.some((search, place) => search !== asked[place]);
  return { searches, remarks: [...(isCut ? [CUT] : []), ...(byMeaning && !left ? [BY_WORDS] : [])] };
}

/** A search of bounded length. A part of a regular expression is another one: the engine bounds those itself. */
function cut(search: SearchList): SearchList {
  if (search.type === 'regex' || search.query.length <= LONGEST_QUERY) return search;
  return { ...search, query: search.query.slice(0, LONGEST_QUERY).toWellFormed() };
}

/** Refuses a call that asks for nothing. */
export function checkQuery(input: QueryInput): void {
  if (input.query !== null || input.searches.length > 0) return;
  throw new GroveError(
    'bad_input',
    { reason: '"query" or "searches" is missing' },
    { hint: 'Send words in "query"; to list notes by filters alone call list_notes.' },
  );
}

/** The words that a search by words or by meaning runs as, or null for the other kinds. */
function asWords({ type, query }: SearchList): string | null {
  return type === 'lex' || type === 'vec' || type === 'hyde' ? query : null;
}
