import type { FusedEntry } from './fuse.ts';

/** How deep a list counts; a list of words that is shorter is filled up with zeros. */
export const SCORED_DEPTH = 300;
/** Standard scores above it count as this much: one word that is rare beyond measure must not decide alone. */
const CAP = 5;

/** A list of one search with its scores, best first. */
export interface ScoredList {
  /** `words`: scores of matching words, 0 without a match. `meaning`: cosines, which every note has. */
  readonly kind: 'words' | 'meaning';
  readonly entries: readonly FusedEntry[];
  /** For `words`: the share of what was searched for that its notes can speak for, 0 to 1; left out: 1. */
  readonly coverage?: number;
  /**
   * For `meaning`: the cosine of a note that the list does not reach, or null for one that has no vector (yet).
   */
  readonly scoreOf?: (key: string) => number | null;
}

/**
 * Fuses lists by standard scores: `z = (score - mean) / sd` within the first 300 of each list, at most 5. Lists of
 * words share one half of the weight, less as far as they do not cover the query; lists of meaning share the rest. A
 * note that only words found gets its true cosine; one that only its meaning found gets the least score of the words, or
 * 0 where fewer than 300 notes hold them. Lists that are empty have no say. Best first; scores that the cap made equal stand in the order that they had without
 * it, equal ones in that of their keys.
 *
 * @param size how many notes there are in all: no list is filled up beyond
 * @example zFusion([{ kind: 'words', entries: [{ key: 'a', score: 7 }] }], 100)[0]!.key // 'a'
 */
export function zFusion(lists: readonly ScoredList[], size: number): readonly FusedEntry[] {
  const told = lists.filter(({ entries }) => entries.length > 0).map((list) => standardised(list, size));
  const of = (kind: ScoredList['kind']) => told.filter((list) => list.kind === kind);
  const [words, meanings] = [of('words'), of('meaning')];
  const share = shareOfWords(words, meanings);
  const weighed = [
    ...words.map((list) => ({ ...list, weight: share / words.length })),
    ...meanings.map((list) => ({ ...list, weight: (1 - share) / meanings.length })),
  ];
  const keys = new Set<string>();
  for (const { top } of told) for (const { key } of top) keys.add(key);
  const fused = Array.from(keys, (key) => {
    let [score, uncapped] = [0, 0];
    for (const { weight, z } of weighed) {
      const standard = z(key);
      score += weight * Math.min(standard, CAP);
      uncapped += weight * standard;
    }
    return { key, score, uncapped };
  });
  return fused.sort((a, b) => b.score - a.score || b.uncapped - a.uncapped || (a.key < b.key ? -1 : 1));
}

interface Standardised {
  readonly kind: ScoredList['kind'];
  readonly top: readonly FusedEntry[];
  readonly z: (key: string) => number;
  readonly coverage: number;
}

/** A half; less where words of the query stand in no note, so that a chance match of one of them decides little. */
function shareOfWords(words: readonly Standardised[], meanings: readonly Standardised[]): number {
  if (meanings.length === 0) return 1;
  return mean(words.map(({ coverage }) => coverage)) / 2;
}

function standardised({ kind, entries, scoreOf, coverage = 1 }: ScoredList, size: number): Standardised {
  const top = entries.slice(0, SCORED_DEPTH);
  const scores = top.map(({ score }) => score);
  // Who is not in a list of words matched none of them.
  if (kind === 'words') while (scores.length < Math.min(SCORED_DEPTH, size)) scores.push(0);
  const middle = mean(scores);
  const sd = Math.sqrt(mean(scores.map((score) => (score - middle) ** 2)));
  const least = Math.min(...scores);
  const known = new Map<string, number>();
  for (const { key, score } of top) known.set(key, score);
  const z = (key: string) => {
    const score = known.get(key) ?? scoreOf?.(key) ?? least;
    return sd === 0 ? 0 : (score - middle) / sd;
  };
  return { kind, top, z, coverage };
}

function mean(values: readonly number[]): number {
  if (values.length === 0) return 0;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
