import { STATUS_CODES } from 'node:http';
import type { ErrorPayload } from '@grove/service';

/** Problem details (RFC 9457) with Grove's stable `code`, its `hint`, and the facts of the occurrence. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly hint: string;
  readonly request_id: string;
  readonly [fact: string]: unknown;
}

/** Its media type. */
export const PROBLEM_TYPE = 'application/problem+json';

/**
 * An error as REST answers it.
 *
 * @example problemOf({ code: 'note_not_found', message: 'No note answers to "x".', next: 'Search …' }, 404, 'r1').type // '/docs/errors#note_not_found'
 */
export function problemOf(error: ErrorPayload, status: number, requestId: string): Problem {
  const { code, message, next, ...facts } = error;
  const standing = {
    type: `/docs/errors#${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: message,
    code,
    hint: next,
    request_id: requestId,
  };
  // A reader meets what happened first; a fact never replaces it.
  return { ...standing, ...facts, ...standing };
}
