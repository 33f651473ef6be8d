import type { GrantScope } from '@grove/access';

/** The scopes of a vault, as clients ask for them. */
export const VAULT_SCOPES = ['vault:read', 'vault:write'] as const;

/** Every scope of the authorization server. */
export const ALL_SCOPES = ['openid', 'offline_access', ...VAULT_SCOPES] as const;

/**
 * What a client that asked for `scope` shall be taken to have asked for. Who names no scope of a vault, because it names
 * none or has words of its own (`claudeai`), asks for all that there is: the owner decides at the consent. Writing
 * implies reading.
 *
 * @example requestedScope('openid vault:write') // 'openid vault:write vault:read'
 */
export function requestedScope(scope: string | undefined): string {
  const asked = (scope ?? '').split(' ').filter((word) => word !== '');
  const wanted = asked.some((word) => VAULT_SCOPES.some((known) => known === word))
    ? asked.includes('vault:write')
      ? [...asked, 'vault:read']
      : asked
    : [...asked, ...VAULT_SCOPES];
  return [...new Set(wanted)].join(' ');
}

/**
 * The scopes of a grant in the words of the authorization server.
 *
 * @example vaultScopes(['write']) // ['vault:read', 'vault:write']
 */
export function vaultScopes(scopes: readonly GrantScope[]): readonly string[] {
  return scopes.includes('write') ? VAULT_SCOPES : VAULT_SCOPES.filter((scope) => scope === 'vault:read');
}
