import { graphemes } from '@grove/core';

/**
 * The start of a text, at most so many UTF-16 units: up to a blank where one stands in its second half, and never within
 * a grapheme.
 */
export function clip(text: string, units: number): string {
  if (text.length <= units) return text;
  const blank = text.lastIndexOf(' ', units);
  if (blank > units / 2) return text.slice(0, blank);
  let end = 0;
  for (const { index, segment } of graphemes(text.slice(0, units * 2))) {
    if (index + segment.length > units) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
