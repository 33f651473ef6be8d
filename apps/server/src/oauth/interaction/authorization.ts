import type { Control, TrailFacts } from '@grove/access';
import { GroveError } from '@grove/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors, type Interaction } from 'oidc-provider';
import type { AuthorizationServer } from '../authorization-server.ts';
import { type ClientShown, clientShown } from '../clients/client-shown.ts';

/** Who has proven themselves in an authorization: the owner, or a holder of a trail. */
export type Person = { readonly kind: 'owner' } | { readonly kind: 'trail'; readonly trail: TrailFacts };

/** An authorization that waits for a person. */
export interface Authorization {
  readonly uid: string;
  readonly interaction: Interaction;
  readonly client: ClientShown;
  /** Where the client waits for its answer. */
  readonly redirectUri: string;
  readonly asked: {
    /** Of `openid`, `offline_access` and the vault's scopes. */
    readonly scopes: readonly string[];
    readonly write: boolean;
  };
}

/**
 * The authorization that this browser began, by its cookie.
 *
 * @throws GroveError `authorization_over` when it is another browser, or the time is over; `client_unknown`
 */
export async function authorizationOf(
  server: AuthorizationServer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Authorization> {
  const { uid } = request.params as { readonly uid: string };
  const interaction = await interactionOf(server, request, reply);
  // The cookie is that of another authorization whose path begins alike.
  if (interaction.uid !== uid) throw new GroveError('authorization_over');
  const { client_id: clientId, scope } = interaction.params;
  const redirectUri = String(interaction.params.redirect_uri);
  const client = await server.provider.Client.find(String(clientId));
  if (client === undefined) throw new GroveError('client_gone');
  const scopes = String(scope ?? '').split(' ');
  return {
    uid,
    interaction,
    client: clientShown(client, redirectUri),
    redirectUri,
    asked: { scopes, write: scopes.includes('vault:write') },
  };
}

async function interactionOf(
  { provider }: AuthorizationServer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Interaction> {
  try {
    return await provider.interactionDetails(request.raw, reply.raw);
  } catch (error) {
    if (error instanceof errors.SessionNotFound)
      throw new GroveError('authorization_over', {}, { cause: error });
    throw error;
  }
}

/** Notes in the authorization that the holder of a trail has proven themselves. */
export async function noteGuest(
  server: AuthorizationServer,
  request: FastifyRequest,
  reply: FastifyReply,
  trail: TrailFacts,
): Promise<void> {
  await server.provider.interactionResult(request.raw, reply.raw, { trail: trail.id });
}

/**
 * The trail by which somebody has proven themselves; null for nobody, or for a trail that nobody is let in by any more.
 */
export function guestOf({ trails }: Pick<Control, 'trails'>, { interaction }: Authorization): Person | null {
  const noted = interaction.result?.trail;
  const trail = typeof noted === 'string' ? trails.byId(noted) : null;
  return trail?.state === 'live' ? { kind: 'trail', trail } : null;
}
