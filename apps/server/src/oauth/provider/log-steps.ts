import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Log } from '../../log.ts';

/** Steps that went well, by the provider's name for them. */
const STEPS: Readonly<Record<string, string>> = {
  'interaction.started': 'a person is asked to sign in',
  'interaction.ended': 'a person has answered',
  'authorization.success': 'a code was issued',
  'grant.success': 'tokens were issued',
  'registration_create.success': 'a client registered itself',
};
/** Steps that were refused. */
const REFUSALS: Readonly<Record<string, string>> = {
  'authorization.error': 'an authorization was refused',
  'grant.error': 'a request for tokens was refused',
  'registration_create.error': 'a registration was refused',
  'revocation.error': 'a revocation was refused',
  'discovery.error': 'metadata could not be given',
  'jwks.error': 'keys could not be given',
};

/**
 * Writes a line for each step of each client, so that a client that is "connected" and has no tools can be followed to the
 * step that failed. Never a token, a code or an address with a query.
 */
export function logSteps(provider: Provider, log: Log): void {
  const told = provider as unknown as Told;
  for (const [event, message] of Object.entries(STEPS))
    told.on(event, (ctx) => log.info({ ...stepOf(ctx), step: event }, message));
  for (const [event, message] of Object.entries(REFUSALS))
    told.on(event, (ctx, error) => log.warn({ ...stepOf(ctx), step: event, ...reasonOf(error) }, message));
  told.on('server_error', (ctx, error) =>
    log.error({ ...stepOf(ctx), step: 'server_error', err: error }, 'the authorization server failed'),
  );
  // What is left of failures would be written to the terminal.
  told.on('error', (error: unknown) => log.error({ err: error }, 'the authorization server failed'));
  told.on('grant.revoked', (ctx) => log.info({ ...stepOf(ctx), step: 'grant.revoked' }, 'a grant was ended'));
}

interface Told {
  on(event: string, listener: (ctx: KoaContextWithOIDC, error?: unknown) => void): void;
  on(event: 'error', listener: (error: unknown) => void): void;
}

function stepOf(ctx: KoaContextWithOIDC): object {
  const { client, params, grant, account } = ctx.oidc;
  const said = params as Readonly<Record<string, unknown>> | undefined;
  return {
    client: client?.clientId ?? said?.client_id ?? null,
    clientName: client?.clientName ?? null,
    account: account?.accountId ?? null,
    scope: said?.scope ?? grant?.getOIDCScope() ?? null,
    resource: said?.resource ?? null,
    redirect: redirectOf(said?.redirect_uri),
    grantType: said?.grant_type ?? null,
    // As the answer and the page of an error name it.
    reqId: ctx.res.getHeader('x-request-id') ?? null,
  };
}

/** Without its query, in which a client may keep anything. */
function redirectOf(uri: unknown): string | null {
  if (typeof uri !== 'string') return null;
  const [plain = ''] = uri.slice(0, 200).split(/[?#]/);
  return plain;
}

function reasonOf(error: unknown): object {
  if (!(error instanceof Error)) return { error: null };
  const { error_description: description, error_detail: detail } = error as {
    readonly error_description?: string;
    readonly error_detail?: string;
  };
  return { error: error.message, description: description ?? null, detail: detail ?? causeOf(error) };
}

function causeOf({ cause }: Error): string | null {
  return cause instanceof Error ? cause.message : null;
}
