import type { RankedNote, Ranking, SearchScope } from '../ranking/ranking.ts';
import { movedByFeedback } from './feedback.ts';
import { type FusedEntry, reciprocalRank } from './fuse.ts';
import { SCORED_DEPTH, type ScoredList, zFusion } from './z-fusion.ts';

/** How deep each of several lists is read. Fixed: were it to grow with the offset, pages would not fit together. */
export const FUSED_DEPTH = 1000;

/** Ranked lists as one. */
export interface FusedNotes {
  readonly notes: readonly RankedNote[];
  /** Notes that match in all, or null when that is not known. */
  readonly total: number | null;
}

/**
 * Fuses the lists of several searches. Lists of words alone are fused by rank; as soon as meaning is among them, by
 * score. Notes whose name is the query come first in any case.
 */
export async function fuseRankings(scope: SearchScope, rankings: readonly Ranking[]): Promise<FusedNotes> {
  const lists = rankings.map((ranking) => ({ ...ranking, notes: ranking.notes.slice(0, FUSED_DEPTH) }));
  const rows = new Map(lists.flatMap(({ notes }) => notes.map(({ row }) => [row.path as string, row])));
  const exact = new Set(
    lists.flatMap(({ notes }) => notes.filter((note) => note.exact).map(({ row }) => row.path)),
  );
  const byMeaning = lists.some(({ vector }) => vector !== undefined);
  const byScore = byMeaning && scope.fusion === 'z';
  const order = byScore ? await byScores(scope, lists, exact) : byRank(lists);
  const notes = order.flatMap(({ key, score }): RankedNote[] => {
    const row = rows.get(key);
    return row === undefined ? [] : [{ row, score, exact: exact.has(row.path) }];
  });
  const whole = lists.every(({ total, notes: read }) => total <= Math.min(read.length, FUSED_DEPTH));
  return {
    notes: [...notes.filter((note) => note.exact), ...notes.filter((note) => !note.exact)],
    // Nearness has no end: which of the notes match by meaning is not known.
    total: whole && !byMeaning ? notes.length : null,
  };
}

function byRank(lists: readonly Ranking[]): readonly FusedEntry[] {
  return reciprocalRank(lists.map(({ notes }) => notes.map(({ row }) => row.path)));
}

/** By standard scores, once as the lists are and once more with what the first notes say of the query. */
async function byScores(
  scope: SearchScope,
  lists: readonly Ranking[],
  exact: ReadonlySet<string>,
): Promise<readonly FusedEntry[]> {
  const scored = await Promise.all(lists.map((list) => scoredList(scope, list, lists)));
  const size = scope.members.size;
  const before = zFusion(scored, size);
  const order = [
    ...before.filter(({ key }) => exact.has(key)),
    ...before.filter(({ key }) => !exact.has(key)),
  ];
  const moved = await movedByFeedback(scope, lists, scored, order);
  const head = moved === null ? before : zFusion(moved, size);
  const placed = new Set(head.map(({ key }) => key));
  const least = head.at(-1)?.score ?? 0;
  // What no list has among its first notes, below all that one has.
  const tail = byRank(lists)
    .filter(({ key }) => !placed.has(key))
    .map(({ key, score }) => ({ key, score: least - 1 + score }));
  return [...head, ...tail];
}

/** A list with its scores; a list of meaning also with those of what the other lists found. */
async function scoredList(
  scope: SearchScope,
  { notes, vector, coverage = 1 }: Ranking,
  all: readonly Ranking[],
): Promise<ScoredList> {
  const entries = notes.map(({ row, score }) => ({ key: row.path as string, score }));
  if (vector === undefined || scope.meaning === null) return { kind: 'words', entries, coverage };
  const ids = new Map(
    all.flatMap((list) => list.notes.slice(0, SCORED_DEPTH).map(({ row }) => [row.path as string, row.id])),
  );
  for (const { key } of entries.slice(0, SCORED_DEPTH)) ids.delete(key);
  const cosines = await scope.meaning.index.scores(vector, [...ids.values()]);
  return { kind: 'meaning', entries, scoreOf: (key) => cosines.get(ids.get(key) ?? -1) ?? null };
}
