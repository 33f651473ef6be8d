import type { Range } from '../../model.ts';
import { splitLines } from '../lines/line-breaks.ts';

/**
 * Where a new text holds what the old one did not: between what both begin and end with, the lines that the old text
 * has not, or not so often. Takes time linear in the texts.
 *
 * @param before null for a note that is new
 * @example addedRanges('a\nb\n', 'a\nc d\nb\n') // [{ start: 2, end: 6 }]
 */
export function addedRanges(before: string | null, after: string): Range[] {
  if (before === null) return after === '' ? [] : [{ start: 0, end: after.length }];
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const end = after.length - tail;
  if (head >= end) return [];
  const from = head === 0 ? 0 : after.lastIndexOf('\n', head - 1) + 1;
  const old = new Map<string, number>();
  // Both texts are the same up to `head`, so that their lines start at the same place.
  for (const line of splitLines(before.slice(from, before.length - tail)))
    old.set(line, (old.get(line) ?? 0) + 1);
  const ranges: { start: number; end: number }[] = [];
  let start = from;
  for (const line of splitLines(after.slice(from, end))) {
    const left = old.get(line) ?? 0;
    if (left > 0) old.set(line, left - 1);
    else {
      const range = { start: Math.max(start, head), end: start + line.length };
      const last = ranges.at(-1);
      if (last?.end === range.start) last.end = range.end;
      else ranges.push(range);
    }
    start += line.length;
  }
  return ranges;
}
