import { graphemes } from '@grove/core';

/** What an answer's text may take unless the caller asks for more, in bytes. */
export const TEXT_BYTES = 24 * 1024;

/** What stands in an answer beside its items: headline, remarks, cursor, fences. */
export const FRAME_BYTES = 1024;

/** What text and structured content may take together, in bytes. */
export const ANSWER_BYTES = 60 * 1024;

/** Bytes of a value as JSON. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/** A run of items from the start of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** True when the budget ended it before the list did. */
  readonly full: boolean;
}

/** Takes items from the start until their JSON fills `bytes`; at least one, so that a reader gets on. */
export function fillPage<T>(items: Iterable<T>, bytes: number): Page<T> {
  // Nothing to measure: for a long list that would take far longer than making it.
  if (bytes === Number.POSITIVE_INFINITY) return { items: [...items], full: false };
  const taken: T[] = [];
  let left = bytes;
  for (const item of items) {
    left -= jsonBytes(item) + 1;
    if (left < 0 && taken.length > 0) return { items: taken, full: true };
    taken.push(item);
  }
  return { items: taken, full: false };
}

/**
 * The longest start of `text.slice(from)` that takes at most `textBytes` as UTF-8 and `asJson` as JSON, ending at a
 * line's end where one is near, and never inside a character.
 *
 * @returns the offset where it ends
 */
export function cutAt(text: string, from: number, textBytes: number, asJson: number): number {
  // No UTF-16 unit takes more than three bytes as UTF-8 and six as JSON.
  const units = text.length - from;
  if (units * 3 <= textBytes && units * 6 <= asJson) return text.length;
  let utf8 = 0;
  let json = 0;
  let end = from;
  let lineEnd = from;
  while (end < text.length) {
    const code = text.codePointAt(end) ?? 0;
    const step = code > 0xffff ? 2 : 1;
    utf8 += code < 0x80 ? 1 : code < 0x800 ? 2 : code > 0xffff ? 4 : 3;
    json += jsonWidth(code);
    if (utf8 > textBytes || json > asJson) break;
    end += step;
    if (code === 0x0a) lineEnd = end;
  }
  if (end >= text.length) return text.length;
  const atLine = lineEnd - from >= (end - from) / 2 ? lineEnd : null;
  return atLine ?? graphemeBefore(text, from, end);
}

function jsonWidth(code: number): number {
  if (code === 0x22 || code === 0x5c || code === 0x0a || code === 0x0d || code === 0x09) return 2;
  if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) return 6;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code > 0xffff ? 4 : 3;
}

/** Steps back to where a character as readers see it begins, so that no emoji is cut in two. */
function graphemeBefore(text: string, from: number, end: number): number {
  const start = Math.max(from, end - 64);
  let last = start;
  const window = text.slice(start, Math.min(text.length, end + 64));
  for (const { index } of graphemes(window)) {
    if (start + index > end) break;
    last = start + index;
  }
  return last > from ? last : end;
}
