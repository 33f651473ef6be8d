import { type GroveError, isGroveError } from '@grove/core';

/**
 * The WWW-Authenticate header that goes with an error (RFC 6750 section 3), or null: a request that brought no key
 * gets no error code. Without a scope in a 401, clients ask for all that the metadata list.
 *
 * @param metadata the address of the metadata of the protected resource (RFC 9728 section 5.1), where there are some
 * @example challengeOf(new GroveError('scope_missing', { scope: 'write' })) // 'Bearer realm="grove", error="insufficient_scope", scope="write"'
 */
export function challengeOf(error: unknown, metadata: string | null = null): string | null {
  if (!isGroveError(error)) return null;
  const parameters = parametersOf(error);
  if (parameters === null) return null;
  // A key cannot be had by OAuth, so that its lack of a scope leads to no authorization.
  const leads = metadata !== null && (error.status === 401 || isVaultScope(error.data.scope));
  const all = [['realm', 'grove'], ...parameters, ...(leads ? [['resource_metadata', metadata]] : [])];
  return `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(', ')}`;
}

function parametersOf({ code, data }: GroveError): readonly (readonly [string, string])[] | null {
  switch (code) {
    case 'key_missing':
      return [];
    case 'key_invalid':
      return [['error', 'invalid_token']];
    case 'scope_missing':
      return [
        ['error', 'insufficient_scope'],
        ['scope', String(data.scope)],
      ];
    default:
      return null;
  }
}

function isVaultScope(scope: unknown): boolean {
  return typeof scope === 'string' && scope.includes('vault:');
}
