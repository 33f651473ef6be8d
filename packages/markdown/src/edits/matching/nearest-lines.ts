import { likeness, runsOf } from '@grove/core';

/** A line that looks like what was looked for. */
export interface NearLine {
  /** 1-based line of the file. */
  readonly line: number;
  readonly text: string;
}

const LIMIT = 3;
/** UTF-16 units by which lines are compared, and shown. */
const COMPARED = 200;
const ALIKE = 0.3;
const MOST_LINES = 20_000;

/**
 * The lines of a text that look most like the first line of what was looked for, at most three, best first.
 * `firstLine` is the file's line on which the text starts.
 */
export function nearestLines(text: string, find: string, firstLine: number): NearLine[] {
  const wantedLine = find.split('\n').find((line) => line.trim() !== '') ?? find;
  const pairsOf = (line: string) => runsOf(line.trim().toLowerCase().slice(0, COMPARED), 2);
  const wanted = pairsOf(wantedLine);
  const length = Math.min(wantedLine.trim().length, COMPARED);
  const near: (NearLine & { readonly score: number })[] = [];
  for (const [index, line] of text.split('\n', MOST_LINES).entries()) {
    const size = Math.min(line.trim().length, COMPARED);
    const within = line.includes(wantedLine.trim());
    // Lines of lengths so different cannot be alike enough.
    if (size === 0 || (!within && (2 * Math.min(size, length) + 2) / (size + length + 2) < ALIKE)) continue;
    const score = within ? 1 : likeness(wanted, pairsOf(line));
    if (score >= ALIKE) near.push({ line: firstLine + index, text: shown(line), score });
  }
  near.sort((a, b) => b.score - a.score || a.line - b.line);
  return near.slice(0, LIMIT).map(({ line, text: shownText }) => ({ line, text: shownText }));
}

/** A line's first characters, without half of a surrogate pair. */
export function shown(line: string): string {
  const text = line.replace(/\r$/, '');
  return text.length <= COMPARED
    ? text
    : `${text
        .slice(0, COMPARED)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`;
}
