import type { EngineSnippet } from '../engine/port.ts';
import type { RankedNote, Ranking, SearchScope } from '../ranking/ranking.ts';
import { clip } from './clip.ts';

/**
 * How the parts begin that are nearest in meaning, by note id: for the notes of a page that a search by meaning found.
 *
 * @param units longest snippet, in UTF-16 units
 */
export async function textSnippets(
  scope: SearchScope,
  rankings: readonly Ranking[],
  page: readonly RankedNote[],
  units: number,
): Promise<ReadonlyMap<number, EngineSnippet>> {
  const snippets = new Map<number, EngineSnippet>();
  const vector = rankings.find((ranking) => ranking.vector !== undefined)?.vector;
  if (vector === undefined || scope.meaning === null || page.length === 0) return snippets;
  const places = await scope.meaning.index.nearestPlaces(
    vector,
    page.map(({ row }) => row.id),
  );
  const shown = [...places.values()];
  const texts = await scope.index.parts(shown.map(({ note, start, end }) => ({ id: note, start, end })));
  for (const [at, place] of shown.entries()) {
    const part = texts[at] ?? '';
    const blank = part.length - part.trimStart().length;
    const text = clip(part.trim(), units).trimEnd();
    if (text === '') continue;
    const start = place.start + blank;
    snippets.set(place.note, {
      text,
      start,
      end: start + text.length,
      line: place.line,
      marks: [],
      score: 0,
    });
  }
  return snippets;
}
