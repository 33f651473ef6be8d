import { GroveError } from '@grove/core';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { AppOptions } from '../http/options.ts';
import { openApiDocument } from '../openapi/document.ts';
import { type DocsFile, docsPage, errorsPage, PAGE_POLICY, readAsset } from '../openapi/pages.ts';
import { answersIfNoneMatch } from './entity-tag.ts';

/** `/openapi.json`, `/docs`, `/docs/errors`: how to call the server. Open to all, since nothing of a vault is in them. */
export const docsRoutes: FastifyPluginAsync<Pick<AppOptions, 'version'>> = async (app, { version }) => {
  const open = { config: { access: 'open' as const } };
  let description: string | null = null;
  const assets = new Map<string, DocsFile>();

  app.get('/openapi.json', open, async (_, reply) => {
    description ??= JSON.stringify(openApiDocument(version));
    return await reply
      .header('cache-control', 'no-cache')
      .type('application/json; charset=utf-8')
      .send(description);
  });
  app.get('/docs', open, (request, reply) => sendFile(request, reply, docsPage()));
  app.get('/docs/errors', open, (request, reply) => sendFile(request, reply, errorsPage()));
  app.get('/docs/:asset', open, (request, reply) => {
    const { asset: name } = request.params as { readonly asset: string };
    const file = assets.get(name) ?? readAsset(name);
    if (file === null) throw new GroveError('route_unknown', { method: 'GET', path: `/docs/${name}` });
    assets.set(name, file);
    return sendFile(request, reply, file);
  });
};

/** Sends a page, or a file that one needs, with what it may do; 304 while the one that is held is the same. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: DocsFile): FastifyReply {
  const { type, bytes, etag } = file;
  reply.headers({ 'cache-control': 'no-cache', 'content-security-policy': PAGE_POLICY, etag });
  if (answersIfNoneMatch(request, etag)) return reply.code(304).send();
  return reply.type(type).send(bytes);
}
