import type { Heading } from '../model.ts';
import { loosenHeading } from './heading-text.ts';

const LIMIT = 5;

/** The addresses of the headings that look most like the wanted one; the first ones when none does. */
export function nearestHeadings(headings: readonly Heading[], wanted: string): string[] {
  const pairs = pairsOf(loosenHeading(wanted));
  return headings
    .map((heading, index) => ({
      heading,
      index,
      score: likeness(pairs, pairsOf(loosenHeading(heading.text))),
    }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, LIMIT)
    .map(({ heading }) => heading.address);
}

/** Sørensen–Dice coefficient of two sets of character pairs, 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const pair of a) if (b.has(pair)) both += 1;
  return a.size + b.size === 0 ? 0 : (2 * both) / (a.size + b.size);
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  const padded = ` ${text.slice(0, 200)} `;
  for (let at = 0; at + 1 < padded.length; at += 1) pairs.add(padded.slice(at, at + 2));
  return pairs;
}
