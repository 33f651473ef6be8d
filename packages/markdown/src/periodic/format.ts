import { DateTime } from 'luxon';
import { type PatternStyle, parsePattern } from './tokens.ts';

const MOST_PARTS = 24;

/**
 * Writes the name of a periodic note. `date` is `YYYY-MM-DD`; a `pattern` with `/` names folders too.
 * Names of months and days are English. Throws a RangeError when the date does not exist.
 *
 * @example formatPeriodic('2026-11-30', 'YYYY/MM/YYYY-MM-DD dddd', 'moment') // '2026/11/2026-11-30 Monday'
 * @example formatPeriodic('2026-11-30', 'yyyy_MM_dd', 'java') // '2026_11_30'
 */
export function formatPeriodic(date: string, pattern: string, style: PatternStyle): string {
  const day = DateTime.fromISO(date, { zone: 'utc' });
  if (!day.isValid) throw new RangeError(`there is no date ${date}`);
  return parsePattern(pattern, style)
    .map((part) => (part.kind === 'text' ? part.text : part.field.write(day)))
    .join('');
}

/**
 * Reads back what {@link formatPeriodic} wrote: the first day of the period that a name stands for, as
 * `YYYY-MM-DD`, or null when the name does not fit the pattern or the pattern does not name a year.
 *
 * @example readPeriodic('Nov 30th, 2026', 'MMM do, yyyy', 'java') // '2026-11-30'
 */
export function readPeriodic(name: string, pattern: string, style: PatternStyle): string | null {
  const parts = parsePattern(pattern, style);
  // Digits can be shared out among many tokens in exponentially many ways.
  if (parts.length > MOST_PARTS) return null;
  const source = parts
    .map((part) =>
      part.kind === 'text'
        ? part.text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
        : `(${part.field.pattern})`,
    )
    .join('');
  const match = new RegExp(`^${source}$`, 'i').exec(name);
  if (match === null) return null;
  const read = new Map<string, string>();
  let group = 0;
  for (const part of parts) {
    if (part.kind === 'text') continue;
    group += 1;
    if (part.field.reads !== null) read.set(part.field.reads, match[group]!);
  }
  const day = toDate(read);
  // A name is that of the period only if the period is written so: `2026-11-30 Friday` is no Monday.
  if (day === null || !day.isValid) return null;
  const date = day.toISODate()!;
  return formatPeriodic(date, pattern, style).toLowerCase() === name.toLowerCase() ? date : null;
}

function toDate(read: ReadonlyMap<string, string>): DateTime | null {
  const zone = 'utc';
  const number = (key: string) => (read.has(key) ? Number.parseInt(read.get(key)!, 10) : undefined);
  const year = number('year');
  const week = number('week');
  const weekYear = number('weekYear') ?? year;
  const monthName = read.get('monthName');
  const month = number('month') ?? (monthName === undefined ? undefined : monthNumber(monthName));
  const day = number('day') ?? number('ordinal');
  if (week !== undefined && weekYear !== undefined && day === undefined)
    return DateTime.fromObject({ weekYear, weekNumber: week }, { zone });
  if (year === undefined) return null;
  const quarter = number('quarter');
  const first = month ?? (quarter === undefined ? 1 : quarter * 3 - 2);
  return DateTime.fromObject({ year, month: first, day: day ?? 1 }, { zone });
}

function monthNumber(name: string): number {
  return (
    ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'].indexOf(
      name.slice(0, 3).toLowerCase(),
    ) + 1
  );
}
