import { isGroveError } from '@grove/core';
import type { Scope } from '../contract.ts';
import { type CursorSubject, openCursor, sealCursor } from '../cursors/cursor.ts';

const SUBJECT: CursorSubject = { operation: 'confirmation', input: null };

/** The id of a question as a client may carry it: it cannot be read, and only the same principal brings it back. */
export function sealQuestion(scope: Scope, id: string): string {
  return sealCursor(scope, SUBJECT, id);
}

/** The id in what {@link sealQuestion} gave; null for anything else. */
export function openQuestion(scope: Scope, sealed: string): string | null {
  try {
    const id = openCursor(scope, SUBJECT, sealed);
    return typeof id === 'string' ? id : null;
  } catch (error) {
    if (isGroveError(error, 'bad_cursor')) return null;
    throw error;
  }
}
