const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/**
 * A moment as a person says it, in its largest whole unit.
 *
 * @param moment milliseconds since the epoch
 * @example relativeTime(now - 3 * 86_400_000, now) // '3 days ago'
 */
export function relativeTime(moment: number, now: number): string {
  const away = moment - now;
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  for (const [unit, size] of STEPS)
    if (Math.abs(away) >= size) return words.format(Math.round(away / size), unit);
  return away > 0 ? 'within a minute' : 'just now';
}
