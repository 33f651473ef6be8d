import { GroveError, isGroveError } from '@grove/core';
import { toErrorPayload } from '@grove/service';
import { INTERNAL_ERROR, INVALID_PARAMS, isJSONRPCRequest, PARSE_ERROR } from '@modelcontextprotocol/server';
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { holderOf, requireScope } from '../../http/caller.ts';
import { challengeOf } from '../../http/challenge.ts';
import { isReadable } from '../../http/readable-address.ts';
import { requestError } from '../../http/request-error.ts';
import { issuerOf, resourceMetadataUrl } from '../../oauth/issuer.ts';
import { callerOf } from '../../plugins/auth.ts';
import { reportFault } from '../../report-fault.ts';
import type { McpProfile } from '../factory.ts';
import { rpcErrorText } from '../json-rpc.ts';
import { callWatch } from './call-watch.ts';
import { Exchanges } from './exchanges.ts';
import { readBody } from './read-body.ts';
import { refuseReading } from './refuse-reading.ts';
import { rpcError } from './rpc-error.ts';
import { sendResponse } from './send-response.ts';
import { isListen } from './site.ts';
import { McpSites, type McpSitesOptions } from './sites.ts';
import { requireAsked } from './step-up.ts';
import { WebRequests } from './web-request.ts';

/** The part of the time to drain after which calls that run are ended: their clients can still be told so. */
const LAST_WORDS = 0.9;

/** MCP over Streamable HTTP at `/mcp`; errors here are JSON-RPC errors. */
export const mcpRoute: FastifyPluginAsync<Omit<McpSitesOptions, 'watch'>> = async (app, options) => {
  const { limits } = options;
  const requests = new WebRequests();
  const sites = new McpSites({ ...options, watch: (caller) => callWatch(app, requests, caller) });
  const exchanges = new Exchanges(limits.maxStreamsPerKey);
  const metadataUrl = (): string | null => {
    const issuer = issuerOf(options, app.server);
    return isReadable(issuer.origin) ? null : resourceMetadataUrl(issuer);
  };
  app.metrics.watchOpen('sessions', () => sites.sessions.count);
  app.metrics.watchOpen('streams', () => exchanges.streams);

  // Streams would keep the server from closing. Calls that run are answered, those that do not end with an error.
  app.addHook('preClose', async () => {
    await sites.stop();
    await exchanges.callsEnded(limits.drainMs * LAST_WORDS);
    await sites.close();
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    sendError(requestError(error, request, limits.maxBodyBytes), request, reply, metadataUrl()),
  );

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    exposeHeadRoute: false,
    // A key that may only add has one tool.
    config: { access: ['read', 'append'] },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      sites.check(caller);
      const profile = profileOf(request);
      if (profile === 'search') requireScope(caller, 'read');
      const site = sites.of(caller, profile);
      const body = request.method === 'POST' ? readBody(request) : undefined;
      requireAsked(caller, body);
      const refusal = await refuseReading(request, body);
      const kind = request.method === 'GET' || isListen(body) ? 'stream' : 'call';
      const over = new AbortController();
      // Comes once: the answer has gone out, or the client has gone.
      reply.raw.once('close', () => over.abort('the exchange is over'));
      const mayBegin = refusal === null && exchanges.begin(holderOf(caller), kind, over.signal);
      const response = mayBegin
        ? await site.serve(requests.make(request, over.signal), body, over)
        : (refusal ?? refuseStream(body, limits.maxStreamsPerKey));
      const isSent = await sendResponse(reply, response, kind, over.signal);
      // The exchange was ended: with its key, with the server, or because the client cancelled it or has gone.
      if (!isSent) sites.check(caller);
      return isSent ? reply : await reply.code(200).type('text/event-stream').send('');
    },
  });
};

/** Answers with a JSON-RPC error; one that is Grove's own fault is logged and tells nothing of itself. */
async function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  metadata: string | null,
): Promise<FastifyReply> {
  const status = isGroveError(error) ? error.status : 500;
  const { message, ...data } = toErrorPayload(error, reportFault(request.log, 'a request failed'));
  const challenge = challengeOf(error, metadata);
  if (challenge !== null) reply.header('www-authenticate', challenge);
  const text = rpcErrorText(null, rpcCode(data.code), `${message} ${data.next}`, data);
  return await reply.code(status).header('cache-control', 'no-store').type('application/json').send(text);
}

/** JSON-RPC 2.0, section 5.1; what it has no code for gets the first of those left to servers. */
function rpcCode(code: string): number {
  if (code === 'bad_body') return PARSE_ERROR;
  if (code === 'bad_input') return INVALID_PARAMS;
  return code === 'internal' ? INTERNAL_ERROR : -32_000;
}

/** Revision 2026-07-28 refuses a stream as the SDK does, in an answer to its request. */
function refuseStream(body: unknown, limit: number): Response {
  const refusal = new GroveError('streams_full', { limit });
  if (!isJSONRPCRequest(body)) throw refusal;
  const { message, ...data } = toErrorPayload(refusal);
  return rpcError(200, body.id, INTERNAL_ERROR, `${message} ${data.next}`, data);
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
