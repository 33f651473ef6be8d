import { isGroveError } from '@grove/core';

/**
 * The WWW-Authenticate header that goes with an error (RFC 6750 section 3), or null: a request that brought no key
 * gets no error code.
 *
 * @example challengeOf(new GroveError('scope_missing', { scope: 'write' })) // 'Bearer realm="grove", error="insufficient_scope", scope="write"'
 */
export function challengeOf(error: unknown): string | null {
  if (!isGroveError(error)) return null;
  switch (error.code) {
    case 'key_missing':
      return 'Bearer realm="grove"';
    case 'key_invalid':
      return 'Bearer realm="grove", error="invalid_token"';
    case 'scope_missing':
      return `Bearer realm="grove", error="insufficient_scope", scope="${String(error.data.scope)}"`;
    default:
      return null;
  }
}
