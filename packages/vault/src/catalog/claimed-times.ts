import { DateTime } from 'luxon';

const CREATED_KEYS = ['created', 'created_at', 'date created', 'date', 'created-at'];
const MODIFIED_KEYS = ['modified', 'updated', 'modified_at', 'updated_at', 'date modified', 'last_modified'];

/** When the frontmatter says a note was made and changed, in milliseconds since the epoch; null = it does not. */
export function claimedTimes(
  data: Readonly<Record<string, unknown>>,
  zone: string,
): { created: number | null; modified: number | null } {
  return { created: firstTime(data, CREATED_KEYS, zone), modified: firstTime(data, MODIFIED_KEYS, zone) };
}

function firstTime(
  data: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  zone: string,
): number | null {
  for (const key of keys) {
    const time = parseTime(data[key], zone);
    if (time !== null) return time;
  }
  return null;
}

/** Reads ISO 8601 dates and times, also with a space for the `T`; a time without offset is the vault's. */
function parseTime(value: unknown, zone: string): number | null {
  if (typeof value !== 'string' || value.length > 40 || !/^\d{4}-\d{2}-\d{2}/.test(value)) return null;
  const time = DateTime.fromISO(value.trim().replace(' ', 'T').replace(' ', ''), { zone });
  return time.isValid ? time.toMillis() : null;
}
