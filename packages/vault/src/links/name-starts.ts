import { foldCase } from '@grove/core';
import type { NoteRow } from '../note-row.ts';

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`;
/** A word; of scripts that put no space between words each letter. */
const WORD = new RegExp(String.raw`[${UNSPACED}]|(?:(?![${UNSPACED}])[\p{L}\p{M}\p{N}_])+`, 'gu');
/** The same for most texts, in a tenth of the time. */
const ASCII_WORD = /\w+/g;
const ASCII = /^[\u0000-\u007f]*$/;

/** The words of a text, in order: what is found in it starts and ends with one. */
export function wordsIn(text: string): IterableIterator<RegExpExecArray> {
  return text.matchAll(ASCII.test(text) ? ASCII_WORD : WORD);
}

/**
 * The first words of names, so that most words of a text need no further look. A name that goes leaves its word, which
 * is then looked up for nothing.
 */
export class NameStarts {
  readonly #longest = new Map<string, number>();

  constructor(rows: Iterable<NoteRow>) {
    for (const row of rows) this.add(row);
  }

  add({ name, title, aliases }: NoteRow): void {
    this.#add(name);
    if (title !== name) this.#add(title);
    for (const alias of aliases) this.#add(alias);
  }

  /** How many words the longest name has that starts with this one; 0 when none does. */
  longestFrom(word: string): number {
    return this.#longest.get(foldCase(word)) ?? 0;
  }

  #add(name: string): void {
    const words = name.match(ASCII.test(name) ? ASCII_WORD : WORD);
    const [first] = words ?? [];
    if (words === null || first === undefined) return;
    const folded = foldCase(first);
    if (words.length > (this.#longest.get(folded) ?? 0)) this.#longest.set(folded, words.length);
  }
}
