import { foldCase } from '@grove/core';
import type { NoteRow } from '../note-row.ts';

/**
 * A word; of scripts that put no space between words each letter. What is found in a text starts and ends with one.
 */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}_])+/gu;

/** The words of a text, in order. */
export function wordsIn(text: string): IterableIterator<RegExpExecArray> {
  return text.matchAll(WORD);
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
    let count = 0;
    let first = '';
    for (const [word] of wordsIn(name)) {
      if (count === 0) first = foldCase(word);
      count += 1;
    }
    if (count > (this.#longest.get(first) ?? 0)) this.#longest.set(first, count);
  }
}
