import type { Control } from '@grove/access';
import type { Account } from 'oidc-provider';

/**
 * Whom the provider lets in: the owner, or a holder of a trail while the trail is live. A trail that is disabled, expired
 * or deleted thus ends the renewal of tokens too.
 *
 * @param id `owner`, or `trail:` and the trail's id
 */
export function liveAccount(
  { trails, grants }: Pick<Control, 'trails' | 'grants'>,
  id: string,
  token?: { readonly grantId?: string | undefined },
): Account | undefined {
  const { grantId } = token ?? {};
  if (grantId !== undefined && grants.byId(grantId)?.state !== 'live') return undefined;
  if (id !== 'owner' && trails.byId(id.replace(/^trail:/, ''))?.state !== 'live') return undefined;
  return { accountId: id, claims: () => ({ sub: id }) };
}
