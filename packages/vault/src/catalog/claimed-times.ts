import { LRUCache } from 'lru-cache';
import { DateTime } from 'luxon';

const CREATED_KEYS = ['created', 'created_at', 'created-at', 'date created', 'date'];
const MODIFIED_KEYS = ['modified', 'modified_at', 'updated', 'updated_at', 'date modified', 'last_modified'];
/** ISO 8601 with a space or `T` between date and time; longer texts are no time. */
const ISO =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?(?:Z|[+-]\d{2}(?::?\d{2})?))?)?$/;

/** What the frontmatter says about when a note was made and changed, as ISO 8601; null = it does not. */
export function claimedTimes(data: Readonly<Record<string, unknown>>): {
  created: string | null;
  modified: string | null;
} {
  return { created: firstClaim(data, CREATED_KEYS), modified: firstClaim(data, MODIFIED_KEYS) };
}

/** Moments kept: reading a time in a zone takes some thirty microseconds, and a listing asks for every note. */
const KEPT = 50_000;

/** What claims mean in the vault's zone. */
export class ClaimedMoments {
  readonly #moments = new LRUCache<string, number>({ max: KEPT });

  /** The moment that a claim names, in milliseconds since the epoch; one without offset is meant in `zone`. */
  at(claim: string | null, zone: string): number | null {
    if (claim === null) return null;
    const key = `${zone} ${claim}`;
    let moment = this.#moments.get(key);
    if (moment === undefined) {
      moment = DateTime.fromISO(claim, { zone }).toMillis();
      this.#moments.set(key, moment);
    }
    return moment;
  }
}

function firstClaim(data: Readonly<Record<string, unknown>>, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = data[key];
    if (typeof value !== 'string' || !ISO.test(value.trim())) continue;
    const claim = value.trim().replace(' ', 'T').replace(' ', '');
    if (DateTime.fromISO(claim, { zone: 'utc' }).isValid) return claim;
  }
  return null;
}
