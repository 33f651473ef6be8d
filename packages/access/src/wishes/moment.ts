import { type Clock, GroveError } from '@grove/core';
import { DateTime } from 'luxon';

const SPAN = /^(\d{1,5})\s*([hdw])$/;
const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };
/** A day alone, or a time with its offset: without one it would mean another moment on each machine. */
const ISO = /^\d{4}-\d{2}-\d{2}(?:T[\d:.,]{1,20}(?:Z|[+-]\d{2}(?::?\d{2})?))?$/;

/**
 * When a key or a trail shall end: a span from now (`12h`, `90d`, `2w`), a day (`2027-01-31`: when it begins, in UTC), an
 * ISO 8601 time with its offset, or `never`.
 *
 * @returns milliseconds since the epoch, or null for `never`
 * @throws GroveError `bad_input` for any other text, and for a moment that is not in the future
 * @example parseExpiry('90d', systemClock)
 */
export function parseExpiry(text: string, clock: Clock): number | null {
  const word = text.trim();
  if (word.toLowerCase() === 'never') return null;
  const moment = momentOf(word, clock.now(), 1);
  const shown = shownWord(word);
  if (moment === null)
    throw new GroveError('bad_input', {
      reason: `"${shown}" is no expiry; use 90d, 12h, 2w, a day such as 2027-01-31, an ISO time such as 2027-01-31T12:00:00Z, or never`,
    });
  if (moment <= clock.now())
    throw new GroveError('bad_input', { reason: `the expiry "${shown}" is not in the future` });
  return moment;
}

/**
 * From when on: a span back from now (`12h`, `7d`, `2w`), a day (`2026-11-30`: when it begins, in UTC), or an ISO 8601
 * time with its offset.
 *
 * @returns milliseconds since the epoch
 * @throws GroveError `bad_input` for any other text
 * @example parseSince('7d', systemClock)
 */
export function parseSince(text: string, clock: Clock): number {
  const word = text.trim();
  const moment = momentOf(word, clock.now(), -1);
  if (moment === null)
    throw new GroveError('bad_input', {
      reason: `"${shownWord(word)}" is no moment; use 7d, 12h, 2w, a day such as 2026-11-30, or an ISO time such as 2026-11-30T12:00:00Z`,
    });
  return moment;
}

/**
 * An expiry that came as a number of milliseconds since the epoch, or as null for none.
 *
 * @throws GroveError `bad_input` unless it is a moment to come
 */
export function requireFuture(expiresAt: number | null, now: number): number | null {
  if (expiresAt === null) return null;
  if (!Number.isSafeInteger(expiresAt))
    throw new GroveError('bad_input', { reason: 'the expiry is no whole number of milliseconds' });
  if (expiresAt <= now) throw new GroveError('bad_input', { reason: 'the expiry is not in the future' });
  return expiresAt;
}

/** @param direction 1 for a span from now, -1 for one back from now */
function momentOf(word: string, now: number, direction: 1 | -1): number | null {
  const [, count, unit] = SPAN.exec(word.toLowerCase()) ?? [];
  if (count !== undefined && unit !== undefined)
    return now + direction * Number(count) * (UNIT_MS[unit] ?? 0);
  const iso = word.toUpperCase();
  if (!ISO.test(iso)) return null;
  const time = DateTime.fromISO(iso, { zone: 'utc' });
  return time.isValid ? time.toMillis() : null;
}

function shownWord(word: string): string {
  return word.slice(0, 40).toWellFormed();
}
