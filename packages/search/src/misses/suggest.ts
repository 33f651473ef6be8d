import { likeness, runsOf, Slices } from '@grove/core';
import { parseLex } from '../language/parse-lex.ts';
import { isStopWord } from '../language/stop-words.ts';
import { loosenName } from '../names/fold-name.ts';
import type { SearchScope } from '../ranking/ranking.ts';
import { distanceFor } from '../ranking/substitutes.ts';

const MAX_SUGGESTIONS = 6;
const MAX_WORDS = 8;
const NEAR_WORDS = 2;
/** Share of common letter triples below which two names are not alike (Dice). */
const LEAST_LIKENESS = 0.3;
/** A longer query (UTF-16 units) is compared by its start. */
const MAX_QUERY = 200;

/**
 * What to try after a miss, all from the View: titles of notes whose name is spelt like the query, best
 * first, then words near the query's words.
 */
export async function suggest(scope: SearchScope, query: string): Promise<readonly string[]> {
  const names = await likeNames(scope, query);
  const words = await nearWords(scope, query);
  return [...new Set([...names, ...words])].slice(0, MAX_SUGGESTIONS);
}

async function nearWords(scope: SearchScope, query: string): Promise<readonly string[]> {
  const words = parseLex(query)
    .clauses.filter((clause) => !clause.negated && !isStopWord(clause.text))
    .flatMap((clause) => scope.tokens(clause.text, true))
    .slice(0, MAX_WORDS);
  const near = await Promise.all(
    words.map(async (text) => {
      if (distanceFor(text) === null) return [];
      return await scope.index.expand({
        match: 'fuzzy',
        text,
        distance: 2,
        view: scope.members,
        limit: NEAR_WORDS,
      });
    }),
  );
  return near.flat().map(({ term }) => term);
}

async function likeNames(scope: SearchScope, query: string): Promise<readonly string[]> {
  const name = loosenName(query.slice(0, MAX_QUERY));
  if (name === null) return [];
  const wanted = runsOf(name, 3);
  const best = new Map<string, number>();
  const slices = new Slices();
  for (const { name, rows } of scope.names.folded(scope.view)) {
    if (slices.spent) await slices.rest();
    const alike = rows.length === 0 ? 0 : likeness(wanted, runsOf(name, 3));
    if (alike < LEAST_LIKENESS) continue;
    for (const { title } of rows) best.set(title, Math.max(alike, best.get(title) ?? 0));
  }
  return [...best]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS / 2)
    .map(([title]) => title);
}
