import { GroveError, isGroveError } from '@grove/core';
import { toErrorPayload } from '@grove/service';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { AppOptions } from '../../http/options.ts';
import { requestError } from '../../http/request-error.ts';
import { callerOf } from '../../plugins/auth.ts';
import { challenge } from '../../plugins/errors.ts';
import type { McpProfile, McpServerFactory } from '../factory.ts';
import { McpSites } from './sites.ts';

export type McpRouteOptions = AppOptions & { readonly createMcp: McpServerFactory };

/** MCP over Streamable HTTP at `/mcp`; errors here are JSON-RPC errors. */
export const mcpRoute: FastifyPluginAsync<McpRouteOptions> = async (app, options) => {
  const sites = new McpSites(options);
  // Open streams would keep the server from closing.
  app.addHook('preClose', () => sites.close());
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.setErrorHandler(async (error, request, reply) => {
    const cause = requestError(error, request, options.limits.maxBodyBytes);
    const status = isGroveError(cause) ? cause.status : 500;
    const payload = toErrorPayload(cause, (unknown) =>
      request.log.error({ err: unknown }, 'a request failed'),
    );
    if (status === 401) reply.header('www-authenticate', challenge(payload.code));
    const { message, ...data } = payload;
    return await reply
      .code(status)
      .type('application/json')
      .send(
        JSON.stringify({
          jsonrpc: '2.0',
          error: { code: -32_000, message: `${message} ${payload.next}`, data },
          id: null,
        }),
      );
  });
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    exposeHeadRoute: false,
    config: { access: 'read' },
    handler: async (request, reply) => {
      const site = sites.of(callerOf(request), profileOf(request));
      const response = await site.fetch(await webRequest(request), request.body as Buffer | undefined);
      return await reply.send(response);
    },
  });
};

function profileOf(request: FastifyRequest): McpProfile {
  const { profile } = request.query as Readonly<Record<string, unknown>>;
  if (profile === undefined || profile === 'notes') return 'notes';
  if (profile === 'search') return 'search';
  throw new GroveError('bad_input', {
    name: 'profile',
    reason: 'there is no profile of that name; there are "notes" and "search"',
  });
}

async function webRequest(request: FastifyRequest): Promise<Request> {
  const gone = new AbortController();
  request.raw.socket.once('close', () => gone.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  const body = request.body as Buffer | undefined;
  return new Request(`http://grove${request.url}`, {
    method: request.method,
    headers,
    signal: gone.signal,
    ...(body === undefined || body.length === 0 ? {} : { body: new Uint8Array(body) }),
  });
}
