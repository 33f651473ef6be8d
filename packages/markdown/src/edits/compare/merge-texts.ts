import { diff3MergeRegions } from 'node-diff3';
import { readFrontmatter } from '../../frontmatter/read.ts';
import { splitLines } from '../lines/line-breaks.ts';

// The merge compares each line with all lines equal to it: beyond so many pairs it is not tried.
const MAX_PAIRS = 4_000_000;

/**
 * Merges two texts that come from the same base, line by line: what either changed is in the answer. Null when
 * both changed the same or touching lines in different ways, or when the frontmatter would not be readable
 * afterwards (both added the same key), or when the texts are too large and too repetitive to compare.
 *
 * @example mergeTexts('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n') // 'A\nb\nC\n'
 */
export function mergeTexts(base: string, ours: string, theirs: string): string | null {
  if (ours === theirs || theirs === base) return ours;
  if (ours === base) return theirs;
  const [old, mine, other] = [base, ours, theirs].map(splitLines) as [string[], string[], string[]];
  const { head, tail } = commonEnds(old, mine, other);
  const middle = (lines: string[]) => lines.slice(head, lines.length - tail);
  const parts = [middle(old), middle(mine), middle(other)] as const;
  if (pairsOf(parts[0], parts[1]) + pairsOf(parts[0], parts[2]) > MAX_PAIRS) return null;
  const merged = mergeLines(...parts);
  if (merged === null) return null;
  const text = [...old.slice(0, head), ...merged, ...old.slice(old.length - tail)].join('');
  const readable = (note: string) => ['ok', 'none'].includes(readFrontmatter(note).frontmatter.status);
  return readable(ours) && readable(theirs) && !readable(text) ? null : text;
}

function mergeLines(old: string[], mine: string[], other: string[]): string[] | null {
  const lines: string[] = [];
  for (const region of diff3MergeRegions(mine, old, other)) {
    if (region.stable) lines.push(...region.bufferContent);
    else {
      const a = mine.slice(region.aStart, region.aStart + region.aLength);
      const b = other.slice(region.bStart, region.bStart + region.bLength);
      if (a.length !== b.length || a.some((line, index) => line !== b[index])) return null;
      lines.push(...a);
    }
  }
  return lines;
}

/** How many lines all three have in common at their start and end, less one at each, so that changes can touch. */
function commonEnds(old: string[], mine: string[], other: string[]): { head: number; tail: number } {
  const shortest = Math.min(old.length, mine.length, other.length);
  let head = 0;
  while (head < shortest && old[head] === mine[head] && old[head] === other[head]) head += 1;
  let tail = 0;
  const equal = (at: number) => old.at(at) === mine.at(at) && old.at(at) === other.at(at);
  while (tail < shortest - head && equal(-1 - tail)) tail += 1;
  return { head: Math.max(0, head - 1), tail: Math.max(0, tail - 1) };
}

function pairsOf(some: readonly string[], others: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of some) counts.set(line, (counts.get(line) ?? 0) + 1);
  return others.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0);
}
