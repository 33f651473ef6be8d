import type { Control } from '@grove/access';
import type { Clock } from '@grove/core';
import {
  type Client,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import type { Log } from '../../log.ts';
import { AUTH_METHODS } from '../clients/client-metadata.ts';
import { documentFetch, type FetchDocument, mayFetch } from '../clients/metadata-documents.ts';
import { isTrustedRedirect } from '../clients/trusted-redirect.ts';
import type { Issuer } from '../issuer.ts';
import { ALL_SCOPES, requestedScope, VAULT_SCOPES } from '../scopes.ts';
import { liveAccount } from './accounts.ts';
import { errorPage } from './error-page.ts';
import { logSteps } from './log-steps.ts';
import { isClientSecret, RecordsAdapter } from './records-adapter.ts';

/** What the authorization server stands on. */
export interface ProviderOptions {
  readonly issuer: Issuer;
  readonly control: Control;
  readonly clock: Clock;
  readonly log: Log;
  /** How documents of clients are fetched; by the network unless a test hands in another way. */
  readonly fetchDocument?: FetchDocument | undefined;
}

/** Where the endpoints are. */
export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
} as const;

/** Seconds. */
const TTL = {
  AuthorizationCode: 60,
  AccessToken: 60 * 60,
  IdToken: 60 * 60,
  Interaction: 30 * 60,
  Session: 30 * 60,
  // Counted anew with each use.
  RefreshToken: 180 * 24 * 60 * 60,
  // Not counted anew: it has to outlast the refresh tokens. What ends a grant is the owner.
  Grant: 10 * 365 * 24 * 60 * 60,
} as const;

/** Makes the OAuth 2.1 authorization server of one issuer. It keeps everything in control.db. */
export function createProvider(options: ProviderOptions): Provider {
  const { issuer, control, log } = options;
  const provider = new Provider(issuer.origin, configuration(options));
  // The public address counts, whatever a proxy says of itself; see `ownAddress`.
  provider.proxy = true;
  provider.use(async (ctx, next) => {
    if (ctx.method === 'GET' && ctx.path === ROUTES.authorization) {
      const { scope } = ctx.query;
      if (!Array.isArray(scope)) ctx.query = { ...ctx.query, scope: requestedScope(scope) };
    }
    await next();
  });
  provider.Client.prototype.compareClientSecret = function (this: Client, secret: string) {
    return isClientSecret(control, this, secret);
  };
  provider.on('grant.revoked', (_, grantId) => {
    if (control.grants.byId(grantId) !== null) control.grants.revoke(grantId);
  });
  provider.on('authorization.error', ({ oidc, query }, error) => {
    if (!maySendBack(control, oidc, oidc.params ?? query)) error.allow_redirect = false;
  });
  logSteps(provider, log);
  return provider;
}

/** Whether an error may be told to the client by a redirect: a person was asked, or the address is trusted. */
function maySendBack(
  control: Control,
  { client, entities }: KoaContextWithOIDC['oidc'],
  { redirect_uri: redirectUri }: Readonly<Record<string, unknown>>,
): boolean {
  if (entities.Interaction?.result !== undefined) return true;
  if (client === undefined || typeof redirectUri !== 'string') return false;
  return isTrustedRedirect(control, client.clientId, redirectUri);
}

function configuration({ issuer, control, clock, fetchDocument }: ProviderOptions): Configuration {
  return {
    adapter: (model) => new RecordsAdapter(model, { control, clock }),
    jwks: control.secrets.jwks() as Configuration['jwks'],
    cookies: {
      keys: [...control.secrets.cookieKeys()],
      names: { session: 'grove_oauth', interaction: 'grove_interaction', resume: 'grove_resume' },
    },
    routes: ROUTES,
    scopes: ALL_SCOPES,
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: [...AUTH_METHODS],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    enabledJWA: {
      idTokenSigningAlgValues: ['ES256'],
      clientAuthSigningAlgValues: ['ES256', 'RS256', 'PS256', 'Ed25519', 'EdDSA'],
    },
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
    // Tokens are not worth more than the grant: whoever ends one ends all.
    revokeGrantPolicy: () => true,
    // Foreign origins have been refused before; see the plugin `hosts`.
    clientBasedCORS: () => true,
    findAccount: (_, id, token) => liveAccount(control, id, token),
    interactions: { policy: consentEachTime(), url: (_, { uid }) => `/oauth/interaction/${uid}` },
    ttl: TTL,
    fetch: documentFetch(fetchDocument),
    fetchResponseBodyLimits: { jwks_uri: 64 * 1024, sector_identifier_uri: 64 * 1024 },
    renderError: errorPage,
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_, client, token) => token.clientId === client.clientId,
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: (_, clientId) => mayFetch(clientId),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => issuer.resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => {
          if (resource !== issuer.resource)
            throw new errors.InvalidTarget(`the resource is ${issuer.resource}`);
          return { scope: VAULT_SCOPES.join(' '), audience: issuer.resource, accessTokenFormat: 'opaque' };
        },
      },
    },
  };
}

/** Anyone may register, so that nobody is let in without a consent of its own, whatever was agreed to before. */
function consentEachTime(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  const check = new interactionPolicy.Check(
    'each_time',
    'each authorization needs a consent',
    'consent_required',
    ({ oidc }) => oidc.result?.consent === undefined,
  );
  policy.get('consent')?.checks.add(check);
  // Who signs in chooses the account anyway.
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
  return policy;
}
