import { GroveError } from '@grove/core';

/** The one error of a repository that cannot be read; `reason` completes "cannot be read: …". */
export function unreadable(reason: string, cause?: unknown): GroveError {
  return new GroveError('repository_unreadable', { reason }, cause === undefined ? {} : { cause });
}
