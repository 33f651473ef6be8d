import { FRAME_BYTES, TEXT_BYTES } from '../answers/size.ts';

/** How much of each part of a note one answer may hold. Bytes are those of JSON. */
export interface GetBounds {
  /** What the text, or the map, may take when `beside` bytes stand beside it. */
  text(beside: number): number;
  readonly frontmatterBytes: number;
  /** Of the list of links, and again of backlinks. */
  readonly listBytes: number;
  /** Notes whose lines are looked up for backlinks, and lines of each. */
  readonly linkingNotes: number;
  readonly linkingLines: number;
  /** Tags, and again aliases. */
  readonly labels: number;
  /** Commits of its history. */
  readonly commits: number;
}

/** Text always gets this much, however much stands beside it. */
const LEAST_TEXT = 8 * 1024;

/** What a model is answered: as much as fits its context. */
export const BOUNDED: GetBounds = {
  text: (beside) => Math.max(LEAST_TEXT, TEXT_BYTES - FRAME_BYTES - beside),
  frontmatterBytes: 6 * 1024,
  listBytes: 6 * 1024,
  linkingNotes: 40,
  linkingLines: 5,
  labels: 50,
  commits: 10,
};

/** Nothing is left out: for programs, which take a note as large as notes may be. */
export const WHOLE: GetBounds = {
  text: () => Number.POSITIVE_INFINITY,
  frontmatterBytes: Number.POSITIVE_INFINITY,
  listBytes: Number.POSITIVE_INFINITY,
  linkingNotes: Number.POSITIVE_INFINITY,
  linkingLines: Number.POSITIVE_INFINITY,
  labels: Number.POSITIVE_INFINITY,
  // Each is read for what it says.
  commits: 100,
};
