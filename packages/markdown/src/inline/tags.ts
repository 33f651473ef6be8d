import { stripEnd } from '@grove/core';
import type { Range } from '../model.ts';
import type { TextRuns } from '../outline/text-runs.ts';

// Letters of any script with their marks, digits, `_`, `-`, `/`, emoji with joiner and variation selector.
const NAME =
  /(?:[\p{L}\p{M}\p{N}_\-/\p{Extended_Pictographic}\p{Emoji_Modifier}\u{1F1E6}-\u{1F1FF}]|\u200D|\uFE0F)+/uy;
// Digits and slashes alone are no tag: `#1` is a number.
const NAMED = /[\p{L}_\-\p{Extended_Pictographic}\u{1F1E6}-\u{1F1FF}]/u;
// What may stand before the `#`: not a word, a URL's `/`, an entity's `&`, an escape or another `#`.
const BEFORE = /[\s\p{Ps}\p{Pi}"'*_~|,;>—–\u3001\u3002\uFF0C\uFF1A\uFF1B\uFF01\uFF1F]/u;
const SPACE = /\s/g;

/** Where an inline tag stands, `#` included, and its name. */
export interface InlineTag extends Range {
  readonly name: string;
}

/**
 * Finds Obsidian's inline tags: `#` and a name in the plain text, outside links, code, math, comments and
 * raw HTML, at the start of a word. A trailing `/` belongs to no tag.
 *
 * @example findTags('a #b/c', 0, runs) // [{ start: 2, end: 6, name: 'b/c' }]
 */
export function findTags(text: string, from: number, runs: TextRuns): InlineTag[] {
  const tags: InlineTag[] = [];
  const urls = new UrlCursor(text, from);
  for (let at = text.indexOf('#', from); at >= 0; at = text.indexOf('#', at + 1)) {
    if (at > 0 && !BEFORE.test(characterBefore(text, at))) continue;
    const runEnd = runs.plainEnd(at);
    if (runEnd <= at + 1 || urls.covers(at)) continue;
    NAME.lastIndex = at + 1;
    const match = NAME.exec(text);
    if (match === null) continue;
    const name = stripEnd(text.slice(at + 1, Math.min(at + 1 + match[0].length, runEnd)), '/');
    if (name.startsWith('/') || !NAMED.test(name)) continue;
    tags.push({ start: at, end: at + 1 + name.length, name });
  }
  return tags;
}

function characterBefore(text: string, at: number): string {
  return text[at - 1]!;
}

/** Bare URLs, which Markdown leaves as text, asked about at growing offsets. */
class UrlCursor {
  readonly #text: string;
  #next: number;
  #end = 0;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#next = text.indexOf('://', from);
  }

  covers(offset: number): boolean {
    while (this.#next >= 0 && this.#next < offset) {
      SPACE.lastIndex = this.#next;
      this.#end = SPACE.exec(this.#text)?.index ?? this.#text.length;
      this.#next = this.#text.indexOf('://', this.#end);
    }
    return offset < this.#end;
  }
}
