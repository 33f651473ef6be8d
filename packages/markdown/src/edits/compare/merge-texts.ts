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
  const { text, isWhole } = mergeKeepingOurs(base, ours, theirs);
  return isWhole ? text : null;
}

/** Two texts in one. */
export interface MergedText {
  readonly text: string;
  /** False where it lacks something of theirs: both changed the same lines, or they cannot be merged by lines. */
  readonly isWhole: boolean;
}

/**
 * As {@link mergeTexts}; but where both changed the same or touching lines ours stay, and what else theirs changed is in
 * the answer all the same. Where nothing can be merged by lines the answer is ours.
 *
 * @example mergeKeepingOurs('a\nb\nc\n', 'A\nb\nc\n', 'x\nb\nC\n') // { text: 'A\nb\nC\n', isWhole: false }
 */
export function mergeKeepingOurs(base: string, ours: string, theirs: string): MergedText {
  if (ours === theirs || theirs === base) return { text: ours, isWhole: true };
  if (ours === base) return { text: theirs, isWhole: true };
  const merged = mergeLines(splitLines(base), splitLines(ours), splitLines(theirs));
  const isReadable = (note: string) => ['ok', 'none'].includes(readFrontmatter(note).frontmatter.status);
  const breaks = merged !== null && isReadable(ours) && isReadable(theirs) && !isReadable(merged.text);
  return merged === null || breaks ? { text: ours, isWhole: false } : merged;
}

/** A line of a text, or several that stay together in all three. */
interface Piece {
  readonly name: string;
  readonly text: string;
}

function mergeLines(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): MergedText | null {
  const a = alignedLines(base, ours);
  const b = alignedLines(base, theirs);
  if (a === null || b === null) return null;
  // The merge compares each line with those before it: runs of lines that both kept count as one.
  const starts = runStarts(base.length, a, b);
  const old = pieces(base, [...base.keys()], starts, '');
  const mine = pieces(ours, a, starts, 'ours');
  const other = pieces(theirs, b, starts, 'theirs');
  const names = (list: readonly Piece[]) => list.map(({ name }) => name);
  const texts = new Map([...old, ...mine, ...other].map(({ name, text }) => [name, text]));
  let merged = '';
  let isWhole = true;
  for (const region of diff3MergeRegions(names(mine), names(old), names(other))) {
    if (region.stable) {
      merged += region.bufferContent.map((name) => texts.get(name)!).join('');
      continue;
    }
    const textOf = (list: readonly Piece[], start: number, length: number) =>
      list
        .slice(start, start + length)
        .map(({ text }) => text)
        .join('');
    const change = textOf(mine, region.aStart, region.aLength);
    if (change !== textOf(other, region.bStart, region.bLength)) isWhole = false;
    merged += change;
  }
  return { text: merged, isWhole };
}

/** For each line of a text the line of the base that it is, or null for a new one; null for texts too different. */
function alignedLines(base: readonly string[], lines: readonly string[]): (number | null)[] | null {
  const changes = diffArrays([...base], [...lines], { maxEditLength: MAX_EDITS });
  if (changes === undefined) return null;
  const found: (number | null)[] = [];
  let at = 0;
  for (const { added, removed, count } of changes) {
    for (let index = 0; index < count && !removed; index += 1) found.push(added ? null : at + index);
    if (!added) at += count;
  }
  return found;
}

/** For each line of the base where its run starts: a run is of lines that follow each other in both texts. */
function runStarts(
  length: number,
  a: readonly (number | null)[],
  b: readonly (number | null)[],
): readonly number[] {
  const inA = positions(length, a);
  const inB = positions(length, b);
  const starts: number[] = [];
  for (let line = 0; line < length; line += 1) {
    const follows = (places: Int32Array) => places[line - 1]! > 0 && places[line] === places[line - 1]! + 1;
    starts.push(line > 0 && follows(inA) && follows(inB) ? starts[line - 1]! : line);
  }
  return starts;
}

/** The place of each line of the base in a text, from 1; 0 for those that are gone. */
function positions(length: number, lines: readonly (number | null)[]): Int32Array {
  const places = new Int32Array(length);
  for (const [index, line] of lines.entries()) if (line !== null) places[line] = index + 1;
  return places;
}

function pieces(
  lines: readonly string[],
  found: readonly (number | null)[],
  starts: readonly number[],
  side: string,
): Piece[] {
  const list: { name: string; text: string }[] = [];
  for (const [index, line] of lines.entries()) {
    const base = found[index] ?? null;
    if (base === null) list.push({ name: `${side} ${index}`, text: line });
    else if (starts[base] === base) list.push({ name: String(base), text: line });
    else list[list.length - 1]!.text += line;
  }
  return list;
}
