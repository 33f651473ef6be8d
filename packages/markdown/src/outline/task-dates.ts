import type { TextRuns } from './text-runs.ts';

const DAY = '(\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01]))(?!\\d)';

/**
 * How plugins write days in a task's line: Obsidian Tasks by emoji (with the other emoji that it reads), Dataview by
 * fields in brackets. https://publish.obsidian.md/tasks, "Dates" and "Dataview Format".
 */
const IN_LINE = {
  due: new RegExp(`(?:[📅📆🗓]\\uFE0F?[ \\t]*|[[(]due::[ \\t]*)${DAY}`, 'giu'),
  scheduled: new RegExp(`(?:[⏳⌛]\\uFE0F?[ \\t]*|[[(]scheduled::[ \\t]*)${DAY}`, 'giu'),
};

/** How Logseq writes them, after Org mode, in a line of the block. */
const IN_BLOCK = {
  due: new RegExp(`\\bDEADLINE:[ \\t]*<${DAY}`, 'g'),
  scheduled: new RegExp(`\\bSCHEDULED:[ \\t]*<${DAY}`, 'g'),
};

/** A task's own text, from its mark on. */
export interface TaskText {
  readonly start: number;
  readonly lineEnd: number;
  readonly end: number;
}

/** The days that a task's text gives it: of each kind the first in plain text that is in the calendar. */
export function readTaskDates(
  text: string,
  { start, lineEnd, end }: TaskText,
  runs: TextRuns,
): { readonly due: string | null; readonly scheduled: string | null } {
  const line = text.slice(start, lineEnd);
  const block = end === lineEnd ? line : text.slice(start, end);
  const first = (kind: 'due' | 'scheduled'): string | null =>
    firstPlain(line, IN_LINE[kind], start, runs) ?? firstPlain(block, IN_BLOCK[kind], start, runs);
  return { due: first('due'), scheduled: first('scheduled') };
}

function firstPlain(part: string, pattern: RegExp, offset: number, runs: TextRuns): string | null {
  for (const { 1: day = '', index } of part.matchAll(pattern))
    if (isInCalendar(day) && runs.plainEnd(offset + index) >= 0) return day;
  return null;
}

/** `Date` takes February 30 for March 2. */
function isInCalendar(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
