import { randomId } from '@grove/core';
import { parseTrailRules } from '@grove/trails';
import type { Control } from '../control.ts';
import type { GrantWish } from '../grants/grants.ts';
import type { NewTrail, TrailWish } from '../trails/trails.ts';
import { type ManualClock, RESOURCE } from './opened-control.ts';

/** Makes a trail of the vault `notes`. */
export function makeTrail({ trails }: Pick<Control, 'trails'>, wish: Partial<TrailWish> = {}): NewTrail {
  return trails.create({
    name: 'Book club',
    vault: 'notes',
    rules: parseTrailRules({ allowTags: ['books'] }),
    ...wish,
  });
}

/** A client that was let in: its grant, and an access token that the provider would have made. */
export interface LetIn {
  readonly grantId: string;
  readonly token: string;
}

/** Writes down what the provider and the owner do when a client is let in. */
export function letIn(
  control: Pick<Control, 'oauth' | 'grants'> & { readonly clock: ManualClock },
  terms: Partial<GrantWish> = {},
  payload: Readonly<Record<string, unknown>> = {},
): LetIn {
  const grantId = randomId();
  const wish: GrantWish = {
    grantId,
    account: 'owner',
    vault: 'notes',
    trailId: null,
    scopes: ['read', 'write'],
    askedToWrite: true,
    clientId: 'client',
    clientName: 'Claude',
    redirectHost: 'claude.ai',
    resource: RESOURCE,
    ...terms,
  };
  control.oauth.upsert('Grant', grantId, { kind: 'Grant' }, 30 * 86_400);
  control.grants.record(wish);
  const { account, clientId } = wish;
  const token = accessToken(control, { grantId, accountId: account, clientId, ...payload });
  return { grantId, token };
}

/** Writes down an access token as the provider makes them. */
export function accessToken(
  { oauth, clock }: Pick<Control, 'oauth'> & { readonly clock: ManualClock },
  payload: Readonly<Record<string, unknown>>,
): string {
  const token = `${randomId()}${randomId()}`.slice(0, 43);
  const exp = Math.floor(clock.now() / 1_000) + 3_600;
  const usual = { kind: 'AccessToken', jti: token, aud: RESOURCE, scope: 'vault:read vault:write', exp };
  oauth.upsert('AccessToken', token, { ...usual, ...payload }, 3_600);
  return token;
}
