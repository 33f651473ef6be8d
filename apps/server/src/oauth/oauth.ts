import type { FastifyPluginAsync } from 'fastify';
import type { AppOptions } from '../http/options.ts';
import { AuthorizationServer } from './authorization-server.ts';
import { interactionRoutes } from './interaction/routes.ts';
import { metadataRoutes } from './metadata.ts';
import { providerRoutes } from './provider-routes.ts';

/** OAuth 2.1: the authorization server, its pages, and what tells clients where it is. */
export const oauth: FastifyPluginAsync<AppOptions> = async (app, options) => {
  const server = new AuthorizationServer(options, app.server);
  await app.register(metadataRoutes, { server });
  await app.register(providerRoutes, { server });
  await app.register(interactionRoutes, { ...options, server });
};
