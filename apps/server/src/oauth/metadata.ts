import type { FastifyPluginAsync } from 'fastify';
import type { AuthorizationServer } from './authorization-server.ts';
import { VAULT_SCOPES } from './scopes.ts';

/** Tells clients of `/mcp` which authorization server its tokens come from (RFC 9728). */
export const metadataRoutes: FastifyPluginAsync<{ readonly server: AuthorizationServer }> = async (
  app,
  { server },
) => {
  // At the root, too: clients of before the path was part of the address look there.
  for (const path of ['/mcp', ''])
    app.get(`/.well-known/oauth-protected-resource${path}`, { config: { access: 'open' } }, (_, reply) => {
      const { origin, resource } = server.issuer;
      return reply.header('cache-control', 'no-cache').send({
        resource,
        authorization_servers: [origin],
        scopes_supported: VAULT_SCOPES,
        bearer_methods_supported: ['header'],
        resource_name: 'Grove',
      });
    });
};
