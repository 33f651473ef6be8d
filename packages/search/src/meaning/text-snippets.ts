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
  await Promise.all(
    page.map(async ({ row }) => {
      const place = places.get(row.id);
      if (place === undefined) return;
      const text = (await scope.index.text(row.id))?.slice(place.start, place.end) ?? '';
      const blank = text.length - text.trimStart().length;
      const shown = clip(text.trim(), units).trimEnd();
      if (shown === '') return;
      const start = place.start + blank;
      snippets.set(row.id, {
        text: shown,
        start,
        end: start + shown.length,
        line: place.line,
        marks: [],
        score: 0,
      });
    }),
  );
  return snippets;
}
