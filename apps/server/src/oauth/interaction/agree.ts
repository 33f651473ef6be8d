import type { Control, GrantScope, TrailFacts } from '@grove/access';
import { GroveError } from '@grove/core';
import type Provider from 'oidc-provider';
import type { Issuer } from '../issuer.ts';
import { VAULT_SCOPES, vaultScopes } from '../scopes.ts';
import type { Authorization } from './authorization.ts';

/** What a person agreed to. */
export interface Agreement {
  readonly vault: string;
  readonly trail: TrailFacts | null;
  readonly scopes: readonly GrantScope[];
}

/** What the provider goes on with. */
export interface Agreed {
  readonly accountId: string;
  readonly grantId: string;
}

/** Clients that guests let in by one trail. Whoever holds it lets in no end of them, each kept until it is ended. */
const MOST_OF_TRAIL = 200;

/** Throws `clients_full` when by this trail as many clients are let in as may be. */
export function requireRoom({ grants }: Pick<Control, 'grants'>, { id, vault }: TrailFacts): void {
  const live = grants.list({ vault }).filter(({ trail, state }) => trail === id && state === 'live');
  if (live.length >= MOST_OF_TRAIL) throw new GroveError('clients_full', { limit: MOST_OF_TRAIL });
}

/** Writes a grant down: the provider's own, and what was agreed to. It lapses unless its code is redeemed. */
export async function agree(
  { provider, issuer, control }: { provider: Provider; issuer: Issuer; control: Control },
  { client, asked }: Authorization,
  { vault, trail, scopes }: Agreement,
): Promise<Agreed> {
  const account = trail === null ? ('owner' as const) : (`trail:${trail.id}` as const);
  const grant = new provider.Grant({ accountId: account, clientId: client.id });
  const granted = vaultScopes(scopes);
  const refused = VAULT_SCOPES.filter((scope) => !granted.includes(scope)).join(' ');
  const known = asked.scopes.filter((scope) => !VAULT_SCOPES.some((own) => own === scope));
  // A vault's scopes are the server's and the resource's, and both have to be answered.
  grant.addOIDCScope([...known, ...granted].join(' '));
  grant.addResourceScope(issuer.resource, granted.join(' '));
  if (refused !== '') {
    grant.rejectOIDCScope(refused);
    grant.rejectResourceScope(issuer.resource, refused);
  }
  const grantId = await grant.save();
  control.grants.record({
    grantId,
    account,
    vault,
    trailId: trail?.id ?? null,
    scopes,
    askedToWrite: asked.write,
    clientId: client.id,
    clientName: client.name,
    redirectHost: client.redirect,
    resource: issuer.resource,
  });
  return { accountId: account, grantId };
}
