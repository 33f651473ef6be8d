import type { Heading } from '@grove/markdown';

/** The heading under which a line of the file stands, or null above the first one. */
export function headingAt(headings: readonly Heading[], line: number): Heading | null {
  let low = 0;
  let high = headings.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((headings[middle]?.line ?? Number.POSITIVE_INFINITY) <= line) low = middle + 1;
    else high = middle;
  }
  return headings[low - 1] ?? null;
}
