import { DateTime } from 'luxon';

/** How long a periodic note's period is. */
export type Granularity = 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly';

/** A periodic note, before its file is looked for. */
export interface Period {
  readonly granularity: Granularity;
  /** First day of the period, `YYYY-MM-DD` (ISO 8601; weeks start on Monday). */
  readonly date: string;
}

const PREFIXED = /^(daily|weekly|monthly|quarterly|yearly):\s*(.*)$/is;
const DAYS: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };
const UNITS = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
} as const;

/**
 * Reads the name of a periodic note: `today`, `yesterday`, `tomorrow`, `2026-11-30`, `weekly:2026-W48`,
 * `monthly:2026-11`, `quarterly:2026-Q4`, `yearly:2026`; after a prefix also a day of the period
 * (`weekly:today`). Null for anything else, a date that does not exist included. `now` is in milliseconds
 * since the epoch, `zone` an IANA time zone.
 *
 * @example parsePeriodic('weekly:2026-W48', Date.now(), 'Europe/Berlin') // { granularity: 'weekly', date: '2026-11-23' }
 */
export function parsePeriodic(input: string, now: number, zone: string): Period | null {
  const prefixed = PREFIXED.exec(input.trim());
  const granularity = (prefixed?.[1]?.toLowerCase() ?? 'daily') as Granularity;
  const name = (prefixed === null ? input : prefixed[2]!).trim().toLowerCase();
  const day = readDay(name, now, zone) ?? (prefixed === null ? null : readPeriod(granularity, name));
  if (day === null || !day.isValid) return null;
  return { granularity, date: day.startOf(UNITS[granularity]).toISODate()! };
}

function readDay(name: string, now: number, zone: string): DateTime | null {
  const offset = Object.hasOwn(DAYS, name) ? DAYS[name] : undefined;
  if (offset !== undefined) return DateTime.fromMillis(now, { zone }).startOf('day').plus({ days: offset });
  return /^\d{4}-\d{2}-\d{2}$/.test(name) ? DateTime.fromISO(name, { zone: 'utc' }) : null;
}

function readPeriod(granularity: Granularity, name: string): DateTime | null {
  const zone = 'utc';
  const week = /^(\d{4})-?w(\d{1,2})$/.exec(name);
  if (granularity === 'weekly' && week !== null)
    return DateTime.fromObject({ weekYear: Number(week[1]), weekNumber: Number(week[2]) }, { zone });
  const month = /^(\d{4})-(\d{2})$/.exec(name);
  if (granularity === 'monthly' && month !== null)
    return DateTime.fromObject({ year: Number(month[1]), month: Number(month[2]) }, { zone });
  const quarter = /^(\d{4})-?q([1-4])$/.exec(name);
  if (granularity === 'quarterly' && quarter !== null)
    return DateTime.fromObject({ year: Number(quarter[1]), month: Number(quarter[2]) * 3 - 2 }, { zone });
  if (granularity === 'yearly' && /^\d{4}$/.test(name))
    return DateTime.fromObject({ year: Number(name) }, { zone });
  return null;
}
