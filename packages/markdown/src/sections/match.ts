import { foldTitle } from '@grove/core';
import { plainText } from '../inline/plain-text.ts';
import type { Heading } from '../model.ts';
import { loosenHeading } from './heading-text.ts';

type Fold = (text: string) => string;

/**
 * The headings that an address fits, in the order of the note. Without an ordinal (`Goals@2`) all of the
 * best kind of match are given: the text itself, the text below `#` marks, a path `Plan#Goals`, the text
 * without punctuation.
 */
export function matchHeadings(headings: readonly Heading[], address: string): Heading[] {
  return takeOrdinal(address, (text) => candidates(headings, text));
}

/** Applies `find` to the name before `@n` and takes the n-th of what it finds, else all of the whole name. */
export function takeOrdinal<T>(address: string, find: (name: string) => T[]): T[] {
  const match = /^(.*)@([1-9]\d{0,5})$/s.exec(address);
  if (match !== null) {
    const found = find(match[1]!)[Number(match[2]) - 1];
    if (found !== undefined) return [found];
  }
  return find(address);
}

function candidates(headings: readonly Heading[], address: string): Heading[] {
  const unmarked = address.replace(/^#+\s*/, '');
  for (const text of unmarked === address ? [address] : [address, unmarked]) {
    const found = withText(headings, text);
    if (found.length > 0) return found;
  }
  if (unmarked.includes('#')) {
    // Headings may hold `#` themselves, so paths as they are spelt come before a path cut at each `#`.
    const spelt = withSpelling(headings, unmarked);
    if (spelt.length > 0) return spelt;
    const segments = unmarked
      .split('#')
      .map((segment) => segment.trim())
      .filter((segment) => segment !== '');
    const found = withPath(headings, segments);
    if (found.length > 0) return found;
  }
  const loose = loosenHeading(unmarked);
  return loose === '' ? [] : headings.filter((heading) => loosenHeading(heading.text) === loose);
}

function withText(headings: readonly Heading[], text: string): Heading[] {
  const folded = foldTitle(text);
  const exact = headings.filter((heading) => foldTitle(heading.text) === folded);
  if (exact.length > 0) return exact;
  const plain = foldTitle(plainText(text));
  return plain === folded ? [] : headings.filter((heading) => foldTitle(heading.text) === plain);
}

function withSpelling(headings: readonly Heading[], address: string): Heading[] {
  const wanted = foldTitle(plainText(address));
  return headings.filter(({ path, text }) => {
    if (!wanted.endsWith(foldTitle(text))) return false;
    let spelt = text;
    for (let from = path.length - 2; from >= 0 && spelt.length <= wanted.length; from -= 1) {
      spelt = `${path[from]}#${spelt}`;
      if (foldTitle(spelt) === wanted) return true;
    }
    return false;
  });
}

/** Headings below the others of the path, in this order; where some follow each other directly, only those. */
function withPath(headings: readonly Heading[], segments: readonly string[]): Heading[] {
  for (const fold of [(text: string) => foldTitle(plainText(text)), loosenHeading]) {
    const wanted = segments.map(fold);
    const found = headings.filter((heading) => endsIn(heading.path, wanted, fold));
    if (found.length === 0) continue;
    const direct = found.filter((heading) => endsDirectlyIn(heading.path, wanted, fold));
    return direct.length > 0 ? direct : found;
  }
  return [];
}

function endsIn(path: readonly string[], wanted: readonly string[], fold: Fold): boolean {
  if (wanted.length === 0 || fold(path[path.length - 1]!) !== wanted[wanted.length - 1]) return false;
  let rest = wanted.length - 1;
  for (let at = path.length - 2; at >= 0 && rest > 0; at -= 1)
    if (fold(path[at]!) === wanted[rest - 1]) rest -= 1;
  return rest === 0;
}

function endsDirectlyIn(path: readonly string[], wanted: readonly string[], fold: Fold): boolean {
  const tail = path.slice(-wanted.length);
  return tail.length === wanted.length && tail.every((text, index) => fold(text) === wanted[index]);
}
