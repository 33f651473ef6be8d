import type { OAuthClientFacts } from '@grove/access';
import type { AdapterPayload } from 'oidc-provider';
import { applicationTypeOf } from './redirects.ts';

/** A client that the owner made with `grove clients create`, as the provider takes clients. */
export function confidentialClient(client: OAuthClientFacts): AdapterPayload {
  return {
    client_id: client.id,
    client_name: client.name,
    redirect_uris: [...client.redirectUris],
    application_type: applicationTypeOf(client.redirectUris),
    // The provider wants one to be there; `isClientSecret` compares.
    client_secret: 'kept as a hash',
    token_endpoint_auth_method: 'client_secret_basic',
  };
}
