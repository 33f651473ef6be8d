import { FRAME_BYTES, TEXT_BYTES } from '../answers/size.ts';

/** How much of each part of a note one answer may hold. Bytes are those of JSON. */
export interface GetBounds {
  /** What the text, or the map, may take when `beside` bytes stand beside it. */
  text(beside: number): number;
  readonly frontmatterBytes: number;
  /** Of each of so many lists: links, backlinks, mentions, commits. */
  listBytes(lists: number): number;
  /** Notes whose lines are looked up for backlinks, and lines of each. */
  readonly linkingNotes: number;
  readonly linkingLines: number;
  /** Notes that are read for mentions. */
  readonly mentioningNotes: number;
  /** Tags, and again aliases. */
  readonly labels: number;
  /** Commits of its history. */
  readonly commits: number;
}

/** Text always gets this much, however much stands beside it. */
const LEAST_TEXT = 8 * 1024;

/** What lists may take together, and each of them. */
const LISTS_BYTES = 18 * 1024;
const LIST_BYTES = 6 * 1024;

/** What a model is answered: as much as fits its context. */
export const BOUNDED: GetBounds = {
  text: (beside) => Math.max(LEAST_TEXT, TEXT_BYTES - FRAME_BYTES - beside),
  frontmatterBytes: 6 * 1024,
  listBytes: (lists) => Math.min(LIST_BYTES, Math.floor(LISTS_BYTES / lists)),
  linkingNotes: 40,
  linkingLines: 5,
  mentioningNotes: 40,
  labels: 50,
  commits: 10,
};

/** Nothing of the note is left out: for programs, which take one as large as notes may be. */
export const WHOLE: GetBounds = {
  text: () => Number.POSITIVE_INFINITY,
  frontmatterBytes: Number.POSITIVE_INFINITY,
  listBytes: () => Number.POSITIVE_INFINITY,
  linkingNotes: Number.POSITIVE_INFINITY,
  linkingLines: Number.POSITIVE_INFINITY,
  // A name may be a word of nearly every note.
  mentioningNotes: 500,
  labels: Number.POSITIVE_INFINITY,
  // Each is read for what it says.
  commits: 100,
};
