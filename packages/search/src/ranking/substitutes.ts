import type { Clause } from '../language/lex-query.ts';
import { WORD_FIELDS } from './fields.ts';
import type { Substitute } from './plan-lex.ts';
import type { SearchScope } from './ranking.ts';

const NAMED_CORRECTIONS = 3;

export interface Substitutes {
  readonly byClause: ReadonlyMap<Clause, Substitute>;
  /** Words that no note of the View holds. */
  readonly unknown: readonly Clause[];
  /** One sentence a word. */
  readonly remarks: readonly string[];
}

/**
 * What to search for instead of words that no note of the View holds: words at most one letter away (two for
 * words above seven letters), else, for the last word, which may be half typed, words that start with it.
 */
export async function substitutesFor(scope: SearchScope, words: readonly Clause[]): Promise<Substitutes> {
  const byClause = new Map<Clause, Substitute>();
  const remarks: string[] = [];
  const last = words.at(-1);
  const unknown = await unknownWords(scope, words);
  for (const clause of unknown) {
    const distance = distanceFor(clause.text);
    const near = distance === null ? [] : await expand(scope, 'fuzzy', clause.text, distance);
    if (near.length > 0) {
      byClause.set(clause, { kind: 'fuzzy', distance: distance! });
      remarks.push(`No note holds "${clause.text}"; searched for ${near.join(', ')} instead.`);
    } else if (clause === last) {
      const starts = await expand(scope, 'prefix', clause.text, 1);
      if (starts.length === 0) continue;
      byClause.set(clause, { kind: 'prefix' });
      remarks.push(
        `No note holds "${clause.text}"; searched for words that start with it: ${starts.join(', ')}.`,
      );
    }
  }
  return { byClause, unknown, remarks };
}

/** Edits that a typo is allowed; null for words too short to tell, and for scripts without letters to swap. */
export function distanceFor(word: string): 1 | 2 | null {
  const length = [...word].length;
  if (length < 4 || !/^[\p{L}\p{N}\p{M}]+$/u.test(word)) return null;
  if (
    /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u.test(
      word,
    )
  ) {
    return null;
  }
  return length > 7 ? 2 : 1;
}

/** Plain words of one part that stand in no note of the View, in any field. */
async function unknownWords(scope: SearchScope, words: readonly Clause[]): Promise<readonly Clause[]> {
  const single = words.flatMap((clause) => {
    const parts = clause.form === 'word' ? scope.tokens(clause.text, false) : [];
    return parts.length === 1 ? [{ clause, stem: parts[0]! }] : [];
  });
  if (single.length === 0) return [];
  const stems = single.map(({ stem }) => stem);
  const inBody = await scope.index.documentFrequencies(stems, 'body', scope.members);
  const absent = single.filter((_, place) => inBody[place] === 0);
  const counts = await Promise.all(absent.map(({ clause }) => count(scope, clause.text)));
  return absent.filter((_, place) => counts[place] === 0).map(({ clause }) => clause);
}

async function count(scope: SearchScope, text: string): Promise<number> {
  const { total } = await scope.index.search({
    query: { kind: 'word', text, fields: WORD_FIELDS },
    view: scope.members,
    filter: null,
    limit: 0,
    snippets: null,
  });
  return total;
}

async function expand(
  scope: SearchScope,
  match: 'fuzzy' | 'prefix',
  text: string,
  distance: 1 | 2,
): Promise<readonly string[]> {
  const terms = await scope.index.expand({
    match,
    text,
    distance,
    view: scope.members,
    limit: NAMED_CORRECTIONS,
  });
  return terms.map(({ term }) => `"${term}"`);
}
