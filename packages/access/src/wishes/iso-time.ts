/** Milliseconds since the epoch as ISO 8601 in UTC. */
export function isoTime(millis: number): string {
  return new Date(millis).toISOString();
}

/** The same where there may be no time. */
export function isoTimeOrNull(millis: number | null): string | null {
  return millis === null ? null : isoTime(millis);
}
