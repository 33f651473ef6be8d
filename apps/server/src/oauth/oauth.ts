import { GroveError } from '@grove/core';
import type { FastifyPluginAsync } from 'fastify';
import type { AppOptions } from '../http/options.ts';
import { isReadable } from '../http/readable-address.ts';
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

/**
 * OAuth 2.1: the authorization server, its pages, and what tells clients where it is. At an address at which tokens can be
 * read on the way all of it is refused: https://datatracker.ietf.org/doc/html/rfc6749#section-3.1 asks for TLS.
 */
export const oauth: FastifyPluginAsync<OAuthOptions> = async (app, options) => {
  const server = new AuthorizationServer(options, app.server);
  await app.register(async (scope) => {
    scope.addHook('onRequest', async () => {
      if (isReadable(server.issuer.origin)) throw new GroveError('oauth_needs_https');
    });
    await scope.register(metadataRoutes, { server });
    await scope.register(providerRoutes, { ...options, server });
    await scope.register(interactionRoutes, { ...options, server });
    await scope.register(upstreamRoutes, { ...options, server });
  });
  await app.register(inviteRoutes, { ...options, server });
};
