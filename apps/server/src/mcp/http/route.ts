import { GroveError, isGroveError } from '@grove/core';
import { toErrorPayload } from '@grove/service';
import { INTERNAL_ERROR } from '@modelcontextprotocol/server';
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { requestError } from '../../http/request-error.ts';
import { callerOf } from '../../plugins/auth.ts';
import { challenge } from '../../plugins/errors.ts';
import type { McpProfile } from '../factory.ts';
import { Exchanges } from './exchanges.ts';
import { readBody } from './read-body.ts';
import { rpcErrorText } from './rpc-error.ts';
import { sendResponse } from './send-response.ts';
import { McpSites, type McpSitesOptions } from './sites.ts';
import { webRequest } from './web-request.ts';

const METHODS = ['GET', 'POST', 'DELETE'];

/** MCP over Streamable HTTP at `/mcp`; errors here are JSON-RPC errors. */
export const mcpRoute: FastifyPluginAsync<McpSitesOptions> = async (app, options) => {
  const { limits } = options;
  const sites = new McpSites(options);
  const exchanges = new Exchanges(limits.maxStreamsPerKey);

  // Calls that run are answered; then the streams end, which would keep the server from closing.
  app.addHook('preClose', async () => {
    sites.stop();
    await exchanges.callsEnded(limits.drainMs);
    await sites.close();
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    sendError(requestError(error, request, limits.maxBodyBytes), request, reply),
  );

  app.route({
    method: METHODS,
    url: '/mcp',
    exposeHeadRoute: false,
    config: { access: 'read' },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      sites.check(caller);
      const site = sites.of(caller, profileOf(request));
      const { json, refusal } = request.method === 'POST' ? readBody(request) : {};
      if (refusal !== undefined) return await sendResponse(reply, refusal, 'call');
      const kind = request.method === 'GET' || isListen(json) ? 'stream' : 'call';
      const over = new AbortController();
      // Comes once: the answer has gone out, or the client has gone.
      reply.raw.once('close', () => over.abort());
      exchanges.begin(caller.key.id, kind, over.signal);
      const response = await site.serve(webRequest(request, over.signal), json, over);
      const isSent = await sendResponse(reply, response, kind);
      // The exchange was ended: with its key, with the server, or because the client cancelled it or has gone.
      if (!isSent) sites.check(caller);
      return isSent ? reply : await reply.code(200).type('text/event-stream').send('');
    },
  });
  app.route({
    method: ['PUT', 'PATCH', 'HEAD'],
    url: '/mcp',
    config: { access: 'read' },
    handler: async ({ method }, reply) => {
      reply.header('allow', METHODS.join(', '));
      throw new GroveError('method_refused', { path: '/mcp', method, allowed: METHODS.join(', ') });
    },
  });
};

/** Answers with a JSON-RPC error; one that is Grove's own fault is logged and tells nothing of itself. */
async function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const status = isGroveError(error) ? error.status : 500;
  const { message, ...data } = toErrorPayload(error, (cause) =>
    request.log.error({ err: cause }, 'a request failed'),
  );
  if (status === 401) reply.header('www-authenticate', challenge(data.code));
  const text = rpcErrorText(status === 500 ? INTERNAL_ERROR : -32_000, `${message} ${data.next}`, { data });
  return await reply.code(status).header('cache-control', 'no-store').type('application/json').send(text);
}

function profileOf(request: FastifyRequest): McpProfile {
  const { profile } = request.query as Readonly<Record<string, unknown>>;
  if (profile === undefined || profile === 'notes') return 'notes';
  if (profile === 'search') return 'search';
  throw new GroveError('bad_input', {
    name: 'profile',
    reason: 'there is no profile of that name; there are "notes" and "search"',
  });
}

function isListen(body: unknown): boolean {
  return (
    typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen'
  );
}
