/** One list as fusion sees it: keys best first. */
export type FusedList = readonly string[];

export interface FusedEntry {
  readonly key: string;
  readonly score: number;
}

/** Combines ranked lists into one, best first. Equal scores stand in the order of their keys. */
export type Fuse = (lists: readonly FusedList[]) => readonly FusedEntry[];

/** The constant of Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet" (2009). */
const RRF_K = 60;

/**
 * Reciprocal rank fusion: each list gives `1 / (60 + rank)`. It needs no scores that compare across lists.
 *
 * @example reciprocalRank([['a', 'b'], ['b']])[0] // { key: 'b', score: 1/62 + 1/61 }
 */
export const reciprocalRank: Fuse = (lists) => {
  const scores = new Map<string, number>();
  for (const list of lists) {
    for (const [place, key] of list.entries()) {
      scores.set(key, (scores.get(key) ?? 0) + 1 / (RRF_K + place + 1));
    }
  }
  return [...scores]
    .map(([key, score]) => ({ key, score }))
    .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
};
