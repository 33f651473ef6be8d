import { applicationTypeOf } from './redirects.ts';

/** What is taken of what a client says of itself; the rest is shown nowhere and decides nothing. */
const TAKEN = [
  'client_id',
  'client_name',
  'client_secret',
  'jwks',
  'jwks_uri',
  'redirect_uris',
  'token_endpoint_auth_method',
] as const;
const GRANT_TYPES = ['authorization_code', 'refresh_token'];

/** How clients may prove themselves at the token endpoint. */
export const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;

/**
 * A registration, or a client's metadata document, with what this server has no use for left out: clients list grant types
 * of other servers (`device_code`), scopes of other servers, and forget to say that they are native. What is wrong in what
 * is left is for the provider to refuse.
 *
 * @example clientMetadata({ redirect_uris: ['http://127.0.0.1/cb'] }).application_type // 'native'
 */
export function clientMetadata(said: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const taken = Object.fromEntries(TAKEN.filter((name) => name in said).map((name) => [name, said[name]]));
  const method = said.token_endpoint_auth_method;
  if (!AUTH_METHODS.some((known) => known === method)) delete taken.token_endpoint_auth_method;
  const redirects = texts(said.redirect_uris);
  return {
    ...taken,
    grant_types: grantTypesOf(said.grant_types),
    response_types: ['code'],
    ...(redirects === null ? {} : { application_type: applicationTypeOf(redirects) }),
  };
}

function grantTypesOf(said: unknown): readonly string[] {
  const asked = texts(said);
  if (asked === null) return GRANT_TYPES;
  return GRANT_TYPES.filter((type) => type === 'authorization_code' || asked.includes(type));
}

function texts(value: unknown): readonly string[] | null {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string') ? value : null;
}
