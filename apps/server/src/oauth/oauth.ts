import type { FastifyPluginAsync } from 'fastify';
import type { AppOptions } from '../http/options.ts';
import type { OwnerSignIn } from '../owner/sign-in/owner-sign-in.ts';
import { AuthorizationServer } from './authorization-server.ts';
import { interactionRoutes } from './interaction/routes.ts';
import { inviteRoutes } from './invite/routes.ts';
import { metadataRoutes } from './metadata.ts';
import { providerRoutes } from './provider-routes.ts';
import { upstreamRoutes } from './upstream/routes.ts';

interface OAuthOptions extends AppOptions {
  readonly signIn: OwnerSignIn;
}

/** OAuth 2.1: the authorization server, its pages, and what tells clients where it is. */
export const oauth: FastifyPluginAsync<OAuthOptions> = async (app, options) => {
  const server = new AuthorizationServer(options, app.server);
  await app.register(metadataRoutes, { server });
  await app.register(providerRoutes, { ...options, server });
  await app.register(interactionRoutes, { ...options, server });
  await app.register(upstreamRoutes, { ...options, server });
  await app.register(inviteRoutes, { ...options, server });
};
