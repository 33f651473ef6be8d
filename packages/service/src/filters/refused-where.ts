import { GroveError } from '@grove/core';

/** What a `where` that is not taken is refused with. */
export function refusedWhere(reason: string): GroveError {
  return new GroveError('bad_filter', { name: 'where', reason });
}

/** The begin of what somebody wrote, short enough to be told back. */
export function clipped(text: string): string {
  return text.slice(0, 60).toWellFormed();
}
