import { diffArrays } from 'diff';
import { diff3MergeRegions } from 'node-diff3';
import { readFrontmatter } from '../../frontmatter/read.ts';
import { splitLines } from '../lines/line-breaks.ts';

// Texts that differ in more lines than this are no versions of one another any more.
const MAX_EDITS = 2000;

/**
 * Merges two texts that come from the same base, line by line: what either changed is in the answer. Null when
 * both changed the same or touching lines in different ways, when the frontmatter could not be read
 * afterwards (both added the same key), or when a text differs from the base in thousands of lines.
 *
 * @example mergeTexts('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n') // 'A\nb\nC\n'
 */
export function mergeTexts(base: string, ours: string, theirs: string): string | null {
  if (ours === theirs || theirs === base) return ours;
  if (ours === base) return theirs;
  const text = mergeLines(splitLines(base), splitLines(ours), splitLines(theirs));
  if (text === null) return null;
  const isReadable = (note: string) => ['ok', 'none'].includes(readFrontmatter(note).frontmatter.status);
  return isReadable(ours) && isReadable(theirs) && !isReadable(text) ? null : text;
}

function mergeLines(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): string | null {
  const a = aligned(base, ours, 'ours');
  const b = aligned(base, theirs, 'theirs');
  if (a === null || b === null) return null;
  const merged: string[] = [];
  const lineOf = (names: readonly string[], lines: readonly string[]) =>
    new Map(names.map((name, index) => [name, lines[index]!]));
  const lines = new Map([...lineOf(a, ours), ...lineOf(b, theirs)]);
  // Each line has a name of its own, without which the merge would compare every line with all that equal it.
  const o = base.map((_, index) => String(index));
  for (const region of diff3MergeRegions(a, o, b)) {
    if (region.stable) {
      for (const name of region.bufferContent) merged.push(lines.get(name)!);
      continue;
    }
    const mine = ours.slice(region.aStart, region.aStart + region.aLength);
    const other = theirs.slice(region.bStart, region.bStart + region.bLength);
    if (mine.length !== other.length || mine.some((line, index) => line !== other[index])) return null;
    merged.push(...mine);
  }
  return merged.join('');
}

/** Names for a text's lines: the number of the line of the base that each one is, or a new name. */
function aligned(base: readonly string[], lines: readonly string[], side: string): string[] | null {
  const changes = diffArrays([...base], [...lines], { maxEditLength: MAX_EDITS });
  if (changes === undefined) return null;
  const names: string[] = [];
  let at = 0;
  for (const { added, removed, count } of changes) {
    if (!added && !removed) for (let index = 0; index < count; index += 1) names.push(String(at + index));
    if (added) for (let index = 0; index < count; index += 1) names.push(`${side} ${names.length}`);
    if (!added) at += count;
  }
  return names;
}
