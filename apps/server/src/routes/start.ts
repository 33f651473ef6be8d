import type { FastifyPluginAsync } from 'fastify';
import Negotiator from 'negotiator';
import { SIGN_IN_CLIENTS } from '../clients/sign-in-clients.ts';
import type { AppOptions } from '../http/options.ts';
import { issuerOf } from '../oauth/issuer.ts';
import { type DocsFile, startPage } from '../openapi/pages.ts';
import { sendFile } from './docs.ts';

/** `/`: what answers here and where to go on, as a page or as JSON. Open to all, since nothing of a vault is in it. */
export const startRoute: FastifyPluginAsync<Pick<AppOptions, 'version' | 'publicUrl' | 'names'>> = async (
  app,
  options,
) => {
  const { version } = options;
  let page: DocsFile | null = null;
  // The address is known once the server listens.
  const pageNow = (): DocsFile => {
    const connection = { name: 'grove', url: issuerOf(options, app.server).origin };
    page ??= startPage(
      version,
      SIGN_IN_CLIENTS.flatMap(({ links }) => links?.(connection) ?? []),
    );
    return page;
  };
  app.get('/', { config: { access: 'open' } }, (request, reply) => {
    reply.header('vary', 'Accept');
    const type = new Negotiator(request).mediaType(['application/json', 'text/html']);
    if (type === 'text/html') return sendFile(request, reply, pageNow());
    return reply.header('cache-control', 'no-cache').send({
      name: 'Grove',
      version,
      mcp: '/mcp',
      rest: '/v1',
      owner: '/owner',
      docs: '/docs',
      openapi: '/openapi.json',
      next: 'Make a key with "grove keys create NAME"; README.md and docs/connecting.md say how clients use it.',
    });
  });
};
