import type { NoteRow } from '@grove/vault';
import type { RankedNote, Ranking, SearchScope } from '../ranking/ranking.ts';
import { movedByFeedback, scoredIds } from './feedback.ts';
import { type FusedEntry, reciprocalRank } from './fuse.ts';
import { SCORED_DEPTH, type ScoredList, zFusion } from './z-fusion.ts';

/** How many notes of a list are read. */
export interface Depths {
  readonly words: number;
  readonly meaning: number;
}

/**
 * How deep each of several lists is read. Fixed: were it to grow with the offset, pages would not fit together. A list of
 * meaning would go on to the last note of the View; it is read as deep as it counts.
 */
export const FUSED_DEPTHS: Depths = { words: 1000, meaning: SCORED_DEPTH };

/** The same for the first {@link SCORED_DEPTH} notes of what is fused by scores: no list counts further down. */
export const HEAD_DEPTHS: Depths = { words: SCORED_DEPTH, meaning: SCORED_DEPTH };

/** The same depth for either kind. */
export function alike(depth: number): Depths {
  return { words: depth, meaning: depth };
}

/** Ranked lists as one. */
export interface FusedNotes {
  /** Best first: all there are, or at least as many as are wanted. */
  readonly notes: readonly RankedNote[];
  /** Notes that match in all, or null when that is not known. */
  readonly total: number | null;
}

/**
 * Fuses the lists of several searches. Lists of words alone are fused by rank; as soon as meaning is among them, by
 * score. Notes whose name is the query come first in any case.
 */
export async function fuseRankings(
  scope: SearchScope,
  rankings: readonly Ranking[],
  wanted: number,
): Promise<FusedNotes> {
  const lists = rankings.map((ranking) => upTo(FUSED_DEPTHS.words, ranking));
  const exact = new Set<string>();
  for (const { notes } of lists) for (const note of notes) if (note.exact) exact.add(note.row.path);
  const byMeaning = lists.some(({ vector }) => vector !== undefined);
  const byScore = byMeaning && scope.fusion === 'z';
  const order = byScore ? await byScores(scope, lists, exact, wanted) : byRank(lists);
  const notes = notesOf(order, lists, exact);
  const whole = lists.every(({ total, notes: read }) => total <= Math.min(read.length, FUSED_DEPTHS.words));
  // Nearness has no end: which of the notes match by meaning is not known.
  return { notes, total: whole && !byMeaning ? notes.length : null };
}

function upTo(depth: number, ranking: Ranking): Ranking {
  return ranking.notes.length <= depth ? ranking : { ...ranking, notes: ranking.notes.slice(0, depth) };
}

function notesOf(
  order: readonly FusedEntry[],
  lists: readonly Ranking[],
  exact: ReadonlySet<string>,
): readonly RankedNote[] {
  const rows = new Map<string, NoteRow>();
  for (const { notes } of lists) for (const { row } of notes) rows.set(row.path, row);
  const [named, others]: [RankedNote[], RankedNote[]] = [[], []];
  for (const { key, score } of order) {
    const row = rows.get(key);
    if (row === undefined) continue;
    if (exact.has(key)) named.push({ row, score, exact: true });
    else others.push({ row, score, exact: false });
  }
  return [...named, ...others];
}

function byRank(lists: readonly Ranking[]): readonly FusedEntry[] {
  return reciprocalRank(lists.map(({ notes }) => notes.map(({ row }) => row.path)));
}

/** By standard scores, once as the lists are and once more with what the first notes say of the query. */
async function byScores(
  scope: SearchScope,
  lists: readonly Ranking[],
  exact: ReadonlySet<string>,
  wanted: number,
): Promise<readonly FusedEntry[]> {
  const ids = scoredIds(lists);
  const scored = await Promise.all(lists.map((list) => scoredList(scope, list, ids)));
  const size = scope.members.size;
  const before = zFusion(scored, size);
  const order = [
    ...before.filter(({ key }) => exact.has(key)),
    ...before.filter(({ key }) => !exact.has(key)),
  ];
  const moved = await movedByFeedback(scope, lists, scored, order, ids);
  const head = moved === null ? before : zFusion(moved, size);
  const placed = new Set(head.map(({ key }) => key));
  if (head.length >= wanted && [...exact].every((key) => placed.has(key))) return head;
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
  ids: ReadonlyMap<string, number>,
): Promise<ScoredList> {
  const entries = notes.slice(0, SCORED_DEPTH).map(({ row, score }) => ({ key: row.path as string, score }));
  if (vector === undefined || scope.meaning === null) return { kind: 'words', entries, coverage };
  const others = new Set(ids.values());
  for (const { row } of notes.slice(0, SCORED_DEPTH)) others.delete(row.id);
  const cosines = await scope.meaning.index.scores(vector, [...others]);
  return { kind: 'meaning', entries, scoreOf: (key) => cosines.get(ids.get(key) ?? -1) ?? null };
}
