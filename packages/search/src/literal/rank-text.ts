import { errorCode, GroveError } from '@grove/core';
import type { NoteSet, QueryNode } from '../engine/port.ts';
import { WORD_FIELDS } from '../ranking/fields.ts';
import { emptyRanking, type RankedNote, type Ranking, type SearchScope } from '../ranking/ranking.ts';
import { parseText } from './parse-text.ts';

/** Notes ordered by relevance; those beyond follow by path. */
const RANKED = 1000;

/**
 * Notes that hold every part of the query as a substring, case aside. Those in which the parts are words of
 * their own come first, by their lex score; then the others by path.
 */
export async function rankText(scope: SearchScope, query: string): Promise<Ranking> {
  const words = parseText(query);
  if (words.length === 0) return { ...emptyRanking, remarks: ['The query is empty.'] };
  const filter = scope.within === null ? null : scope.setOf(scope.within);
  const found = await scope.index.scan({ view: scope.members, filter, words, regex: null, linesPerNote: 0 });
  const scores = found.length < 2 ? new Map() : await scoresOf(scope, words, scope.setOf(idsOf(found)));
  const notes = rowsOf(scope, idsOf(found), (id) => scores.get(id) ?? 0);
  notes.sort((a, b) => b.score - a.score);
  return { notes, total: notes.length, marking: anyOf(words), lines: { words, regex: null }, remarks: [] };
}

/**
 * Notes in which a regular expression (linear-time syntax, `^` and `$` at lines, case kept unless `(?i)`)
 * matches: most matching lines first, then by path. Throws `bad_regex` with the reason.
 */
export async function rankRegex(scope: SearchScope, query: string): Promise<Ranking> {
  const filter = scope.within === null ? null : scope.setOf(scope.within);
  const regex = query.toWellFormed();
  const found = await scope.index
    .scan({ view: scope.members, filter, words: [], regex, linesPerNote: 0 })
    .catch((error: unknown) => {
      if (errorCode(error) !== 'bad_regex') throw error;
      const said = error instanceof Error ? error.message : String(error);
      // The engine's sentence, without what the error says itself.
      const reason = said.replace(/^The regular expression is wrong: /, '').replace(/\.$/, '');
      throw new GroveError('bad_regex', { reason }, { cause: error });
    });
  const lines = new Map(found.map((hit) => [hit.id, hit.lineCount]));
  const notes = rowsOf(scope, idsOf(found), (id) => lines.get(id)!);
  notes.sort((a, b) => b.score - a.score);
  return { notes, total: notes.length, marking: { kind: 'all' }, lines: { words: [], regex }, remarks: [] };
}

function idsOf(hits: readonly { readonly id: number }[]): Uint32Array {
  return Uint32Array.from(hits, (hit) => hit.id);
}

/** Rows in the order of the ids, which a scan gives by path; sorting by score keeps it among equals. */
function rowsOf(scope: SearchScope, ids: Uint32Array, score: (id: number) => number): RankedNote[] {
  return [...ids].flatMap((id) => {
    const row = scope.view.byId(id);
    return row === null ? [] : [{ row, score: score(id), exact: false }];
  });
}

function anyOf(words: readonly string[]): QueryNode {
  return { kind: 'bool', should: words.map((text) => ({ kind: 'word', text, fields: WORD_FIELDS })) };
}

async function scoresOf(
  scope: SearchScope,
  words: readonly string[],
  filter: NoteSet,
): Promise<ReadonlyMap<number, number>> {
  const { hits } = await scope.index.search({
    query: anyOf(words),
    view: scope.members,
    filter,
    limit: RANKED,
    snippets: null,
  });
  return new Map(hits.map((hit) => [hit.id, hit.score]));
}
