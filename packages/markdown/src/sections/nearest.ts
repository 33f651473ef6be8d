import { likeness, runsOf } from '@grove/core';
import type { Heading } from '../model.ts';
import { loosenHeading } from './heading-text.ts';

const LIMIT = 5;
/** UTF-16 units by which texts are compared. */
const COMPARED = 200;

/** The addresses of the headings that look most like the wanted one; the first ones when none does. */
export function nearestHeadings(headings: readonly Heading[], wanted: string): string[] {
  const pairsOf = (text: string) => runsOf(loosenHeading(text).slice(0, COMPARED), 2);
  const pairs = pairsOf(wanted);
  return headings
    .map((heading, index) => ({
      heading,
      index,
      score: likeness(pairs, pairsOf(heading.text)),
    }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, LIMIT)
    .map(({ heading }) => heading.address);
}
