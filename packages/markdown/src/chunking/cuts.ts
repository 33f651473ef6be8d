import { graphemes } from '@grove/core';
import { unitQuarters } from './tokens.ts';

const SENTENCE_END = /[.!?…。！？]/;
const SPACE = /\s/;

/**
 * Cuts a stretch of text into pieces of at most `limit` quarters of a token: at the end of a sentence or
 * word when there is one in the piece's second half, else between two graphemes. Answers the ends of the
 * pieces, the last one being `end`. A single grapheme that is longer stays whole.
 */
export function cutLongText(text: string, start: number, end: number, limit: number): number[] {
  const ends: number[] = [];
  let from = start;
  while (from < end) {
    const full = fill(text, from, end, limit);
    const cut = full >= end ? end : chooseCut(text, from, full, end);
    ends.push(cut);
    from = cut;
  }
  return ends;
}

/** The end of what fits from `from` on; at least one unit. */
function fill(text: string, from: number, end: number, limit: number): number {
  let quarters = 0;
  let at = from;
  for (; at < end; at += 1) {
    quarters += unitQuarters(text.charCodeAt(at));
    if (quarters > limit) break;
  }
  return Math.max(at, from + 1);
}

function chooseCut(text: string, from: number, full: number, end: number): number {
  const least = from + Math.ceil((full - from) / 2);
  let word = -1;
  for (let at = full; at > least; at -= 1) {
    const before = text[at - 1]!;
    const spaced = SPACE.test(before);
    if (spaced && word < 0 && isBoundary(text, from, at, end)) word = at;
    const last = spaced ? text[at - 2]! : before;
    const sentence = SENTENCE_END.test(last) && (spaced || last > '\u2fff');
    if (sentence && isBoundary(text, from, at, end)) return at;
  }
  return word > 0 ? word : graphemeCut(text, from, full, end);
}

function isBoundary(text: string, from: number, at: number, end: number): boolean {
  // White space or ASCII before a character that cannot combine: no need to ask.
  if (text.charCodeAt(at - 1) < 0x80 && text.charCodeAt(at) < 0x300) return true;
  return graphemeCut(text, from, at, end) === at;
}

/** The last grapheme boundary in (from, at], or the first one after it. `from` is a boundary. */
function graphemeCut(text: string, from: number, at: number, end: number): number {
  for (let reach = 64; ; reach *= 4) {
    const stop = Math.min(end, at + reach);
    let last = from;
    for (const { index, segment } of graphemes(text.slice(from, stop))) {
      const boundary = from + index + segment.length;
      // The last segment of a slice may go on behind it.
      const whole = boundary < stop || stop === end;
      if (boundary > at) {
        if (last > from) return last;
        if (whole) return boundary;
        break;
      }
      last = boundary;
      if (boundary === at && whole) return at;
    }
    if (stop === end) return last > from ? last : end;
  }
}
