import { Slices } from '@grove/core';
import type { QueryNode } from '../engine/port.ts';
import { plainWords } from '../language/plain-words.ts';
import { isStopWord } from '../language/stop-words.ts';
import { WORD_FIELDS } from '../ranking/fields.ts';
import { rankLex } from '../ranking/rank-lex.ts';
import { emptyRanking, type Ranking, type SearchScope } from '../ranking/ranking.ts';

/** Words of the note that are weighed, and those that are searched for. */
const WEIGHED = 100;
const TELLING = 24;
/** A note is read no further for its words. */
const MAX_TEXT = 100_000;
/** Words of so many UTF-16 units are told apart at once, on the calling thread. */
const PART = 16_384;

/**
 * Neighbours of a note by its most telling words (frequent in it, rare in the View); the note itself is left
 * out. `query` names a note of the View, or is a text whose neighbours are wanted.
 */
export async function rankLike(scope: SearchScope, query: string, depth: number): Promise<Ranking> {
  const resolved = scope.view.resolve(query);
  if (resolved.kind !== 'found') return await rankLex(scope, plainWords(query), null, depth);
  const note = resolved.row;
  const text = (await scope.index.text(note.id)) ?? '';
  const headings = scope.view.details(note).headings.map((heading) => heading.text);
  const words = await tellingWords(scope, [note.title, ...headings, text.slice(0, MAX_TEXT)].join('\n'));
  if (words.length === 0)
    return { ...emptyRanking, remarks: [`"${note.path}" holds no word to compare by.`] };
  const others = (scope.within ?? scope.view.ids()).filter((id) => id !== note.id);
  const marking: QueryNode = {
    kind: 'bool',
    should: words.map((word) => ({ kind: 'word', text: word, fields: WORD_FIELDS })),
  };
  const { hits, total } = await scope.index.search({
    query: marking,
    view: scope.members,
    filter: scope.setOf(others),
    limit: depth,
    snippets: null,
  });
  const notes = hits.flatMap((hit) => {
    const row = scope.view.byId(hit.id);
    return row === null ? [] : [{ row, score: hit.score, exact: false }];
  });
  return { notes, total, marking, lines: null, remarks: [] };
}

/** The best by tf-idf over the View, most telling first; equal ones in the order of the alphabet. */
async function tellingWords(scope: SearchScope, text: string): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  const slices = new Slices();
  for (const part of partsOf(text)) {
    for (const word of scope.tokens(part, true)) {
      if (word.length < 2 || /^\p{N}+$/u.test(word) || isStopWord(word)) continue;
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    if (slices.spent) await slices.rest();
  }
  const weighed = [...counts].sort(byWeight).slice(0, WEIGHED);
  const frequencies = await scope.index.documentFrequencies(
    weighed.map(([word]) => word),
    'body_exact',
    scope.members,
  );
  const total = scope.members.size;
  return weighed
    .map(([word, count], place): [string, number] => {
      const documents = frequencies[place]!;
      return [word, (1 + Math.log(count)) * Math.log(1 + total / (documents + 1))];
    })
    .sort(byWeight)
    .slice(0, TELLING)
    .map(([word]) => word);
}

/** The text in parts that end at a line or a blank where one is near, so that words stay whole. */
function* partsOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + PART, text.length);
    const gap = Math.max(text.lastIndexOf('\n', to - 1), text.lastIndexOf(' ', to - 1));
    if (to < text.length && gap > from) to = gap + 1;
    yield text.slice(from, to);
    from = to;
  }
}

function byWeight(a: readonly [string, number], b: readonly [string, number]): number {
  return b[1] - a[1] || (a[0] < b[0] ? -1 : 1);
}
