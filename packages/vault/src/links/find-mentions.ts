import type { Range } from '@grove/markdown';
import type { NoteRow } from '../note-row.ts';
import { wordsIn } from './name-starts.ts';

/** What notes are called, as far as it is needed to find their names in a text. */
export interface MentionNames {
  /** How many words the longest name has that starts with this one; 0 when none does. */
  longestFrom(word: string): number;
  /** The notes with this file name, title or alias, case and white space aside. */
  called(name: string): readonly NoteRow[];
}

/** A place in a text where the name of a note stands. */
export interface Mention extends Range {
  readonly text: string;
  /** Several when they share the name. */
  readonly notes: readonly NoteRow[];
}

/** Names with fewer letters are words of every text. */
const LEAST_LETTERS = 4;
/** Most words that are looked at, and most that a name may have. */
const MOST_WORDS = 5_000;
const LONGEST_NAME = 12;
const JOINED_BEFORE = /[-/@#.$\\[\]^{!]$/;
const JOINED_AFTER = /^(?:[-/@#\\\]}]|[.'’]\p{L})/u;

/**
 * Finds the names of notes that stand in a range of a text as whole words on one line; the longest name at each place.
 * Takes time linear in the range, and looks at no more than its first 5,000 words.
 *
 * @example findMentions('Ask Ada Lovelace.', { start: 0, end: 17 }, names) // [{ text: 'Ada Lovelace', start: 4, … }]
 */
export function findMentions(text: string, { start, end }: Range, names: MentionNames): Mention[] {
  const words: Range[] = [];
  for (const { 0: word, index } of wordsIn(text.slice(start, end))) {
    words.push({ start: start + index, end: start + index + word.length });
    if (words.length === MOST_WORDS) break;
  }
  const mentions: Mention[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const found = mentionAt(text, words, at, names);
    if (found === null) continue;
    mentions.push(found.mention);
    at += found.words - 1;
  }
  return mentions;
}

function mentionAt(
  text: string,
  words: readonly Range[],
  at: number,
  names: MentionNames,
): { readonly mention: Mention; readonly words: number } | null {
  const first = words[at];
  if (first === undefined) return null;
  const longest = Math.min(names.longestFrom(text.slice(first.start, first.end)), LONGEST_NAME);
  if (longest === 0 || JOINED_BEFORE.test(text.slice(Math.max(0, first.start - 1), first.start))) return null;
  for (let count = Math.min(longest, words.length - at); count > 0; count -= 1) {
    const end = words[at + count - 1]?.end ?? first.end;
    const name = text.slice(first.start, end);
    if (name.includes('\n') || JOINED_AFTER.test(text.slice(end, end + 2))) continue;
    if (letters(name) < LEAST_LETTERS) return null;
    const notes = names.called(name);
    if (notes.length > 0) return { mention: { text: name, start: first.start, end, notes }, words: count };
  }
  return null;
}

function letters(name: string): number {
  return name.match(/\p{L}/gu)?.length ?? 0;
}
