import { GroveError } from '@grove/core';
import { DateTime, type DurationLikeObject } from 'luxon';

const AGO = /^(\d{1,4})\s*([a-z]+)(?:\s+ago)?$/;
const UNITS: Readonly<Record<string, keyof DurationLikeObject>> = {
  h: 'hours',
  hour: 'hours',
  hours: 'hours',
  d: 'days',
  day: 'days',
  days: 'days',
  w: 'weeks',
  week: 'weeks',
  weeks: 'weeks',
  m: 'months',
  mo: 'months',
  month: 'months',
  months: 'months',
  y: 'years',
  year: 'years',
  years: 'years',
};
const DAYS: Readonly<Record<string, number>> = { today: 0, yesterday: -1, tomorrow: 1 };

/** Where "now" is for a filter. */
export interface Now {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA zone. */
  readonly zone: string;
}

/**
 * The moment that a date filter names: a day, month, week or year (its start), a time, `7d` (that long ago),
 * `today`, `yesterday`, `tomorrow`. ISO 8601 by luxon; without an offset in the vault's zone.
 *
 * @returns milliseconds since the epoch, or null when the text names no moment
 * @example parseMoment('7d', { now: Date.now(), zone: 'Europe/Berlin' })
 */
export function parseMoment(input: string, { now, zone }: Now): number | null {
  const word = input.trim().toLowerCase();
  const here = DateTime.fromMillis(now, { zone });
  if (word === 'now') return now;
  const days = Object.hasOwn(DAYS, word) ? DAYS[word] : undefined;
  if (days !== undefined) return here.startOf('day').plus({ days }).toMillis();
  const [, count, name] = AGO.exec(word) ?? [];
  const unit = name !== undefined && Object.hasOwn(UNITS, name) ? UNITS[name] : undefined;
  if (count !== undefined && unit !== undefined) return here.minus({ [unit]: Number(count) }).toMillis();
  const iso = DateTime.fromISO(input.trim().slice(0, 40).replace(' ', 'T'), { zone });
  return iso.isValid ? iso.toMillis() : null;
}

/**
 * Like {@link parseMoment}, for a filter that must name a moment.
 *
 * @throws GroveError `bad_filter`
 */
export function requireMoment(name: string, input: string, now: Now): number {
  const moment = parseMoment(input, now);
  if (moment !== null) return moment;
  const shown = input.slice(0, 60).toWellFormed();
  const reason = `"${shown}" is no date; send a day such as 2026-11-30, 7d, yesterday or an ISO time`;
  throw new GroveError('bad_filter', { name, reason });
}
