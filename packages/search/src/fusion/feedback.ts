import type { Ranking, SearchScope } from '../ranking/ranking.ts';
import type { FusedEntry } from './fuse.ts';
import { SCORED_DEPTH, type ScoredList } from './z-fusion.ts';

/** Notes that are taken for relevant. */
const FEEDBACK_NOTES = 3;
/** How far a query is moved toward them: Rocchio's beta, where its alpha is 1. */
const FEEDBACK_WEIGHT = 0.15;

/**
 * Pseudo-relevance feedback (Rocchio, "Relevance feedback in information retrieval", 1971): the first notes of what was
 * fused are taken for relevant, the vector of each query is moved toward the mean of their middles, and what the lists
 * found among their first 300 is scored again. Lists of words and of examples stay as they are.
 *
 * @param scored the lists as they were fused, in the order of `rankings`
 * @param order what came of it, best first
 * @param ids of {@link scoredIds}
 * @returns the lists to fuse once more; null where there is nothing to learn or nobody to learn it
 */
export async function movedByFeedback(
  { meaning }: SearchScope,
  rankings: readonly Ranking[],
  scored: readonly ScoredList[],
  order: readonly FusedEntry[],
  ids: ReadonlyMap<string, number>,
): Promise<readonly ScoredList[] | null> {
  if (meaning === null || !rankings.some(({ takesFeedback }) => takesFeedback)) return null;
  const first = order.slice(0, FEEDBACK_NOTES).map(({ key }) => ids.get(key)!);
  const middles = await meaning.index.middles(first);
  const toward = meanOf(first.flatMap((note) => middles.get(note) ?? []));
  if (toward === null) return null;
  return await Promise.all(
    rankings.map(async ({ vector, takesFeedback = false }, at): Promise<ScoredList> => {
      const list = scored[at]!;
      if (vector === undefined || !takesFeedback) return list;
      const moved = vector.map((value, place) => value + FEEDBACK_WEIGHT * toward[place]!);
      const cosines = await meaning.index.scores(moved, [...ids.values()]);
      const entries: FusedEntry[] = [];
      ids.forEach((id, key) => {
        const score = cosines.get(id);
        if (score !== undefined) entries.push({ key, score });
      });
      entries.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
      return { ...list, entries, scoreOf: (key) => cosines.get(ids.get(key) ?? -1) ?? null };
    }),
  );
}

/** The notes that the first 300 of each list are, by their path. */
export function scoredIds(rankings: readonly Ranking[]): Map<string, number> {
  const ids = new Map<string, number>();
  for (const { notes } of rankings)
    for (const { row } of notes.slice(0, SCORED_DEPTH)) ids.set(row.path, row.id);
  return ids;
}

/** The mean, in the order that is given; null of nothing. */
function meanOf(vectors: readonly Float32Array[]): Float64Array | null {
  const [first] = vectors;
  if (first === undefined) return null;
  const sum = new Float64Array(first.length);
  for (const vector of vectors)
    for (let place = 0; place < sum.length; place += 1) sum[place]! += vector[place]!;
  return sum.map((value) => value / vectors.length);
}
