import { errorCode, isGroveError } from '@grove/core';

/** True for the errors of an object that is damaged, too large, or was removed beside us. */
export function unreadableObject(error: unknown): boolean {
  return isGroveError(error, 'repository_unreadable') || errorCode(error) === 'ENOENT';
}
