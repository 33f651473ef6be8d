import type { Server } from 'node:http';
import { type FastifyBaseLogger, type FastifyHttpOptions, LogController } from 'fastify';
import { inRequest } from '../current-request.ts';
import type { Log } from '../log.ts';
import { sendProblem } from '../plugins/errors.ts';
import { logAnswer, markReply } from '../plugins/replies.ts';
import { splitTarget } from './authority.ts';
import { answerClientError } from './client-error.ts';
import type { Connections } from './connections.ts';
import type { HttpLimits } from './options.ts';
import { requestError } from './request-error.ts';
import { requestIdOf } from './request-id.ts';

/** Node hands over no more headers than this. */
export const MAX_HEADERS = 128;
/** How long the head of a request may take; nothing of it is read meanwhile. */
const MAX_HEAD_MS = 10_000;
/** How often slow requests are looked for. */
const MAX_CHECK_MS = 5_000;
/** How long a connection may wait for its next request; longer than proxies keep theirs, so that it is they who end. */
const KEEP_ALIVE_MS = 75_000;

/** How Fastify and Node's server below it are set up. */
export function serverOptions(
  limits: HttpLimits,
  log: Log,
  connections: Connections,
  trustedProxies: readonly string[] = [],
): FastifyHttpOptions<Server> {
  const { requestTimeoutMs, maxBodyBytes } = limits;
  const logger: FastifyBaseLogger = log;
  return {
    loggerInstance: logger,
    // What a proxy says of the host is not looked at: see the plugin `hosts`.
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    // The log names the request that a line is part of by itself.
    childLoggerFactory: (parent) => parent,
    bodyLimit: maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // It would also bound how long running requests are waited for at the end, which the limits do.
    pluginTimeout: 0,
    http: {
      maxHeaderSize: limits.maxHeaderBytes,
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(MAX_HEAD_MS, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(MAX_CHECK_MS, Math.ceil(requestTimeoutMs / 4)),
      // A request without Host is refused like any other, with problem details.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, connections, log),
    // An address that the router cannot read; no hook runs for it.
    frameworkErrors: (error, request, reply) => {
      markReply(request, reply);
      reply.raw.once('close', () => logAnswer(request, reply));
      inRequest(request.id, () => sendProblem(requestError(error, request, maxBodyBytes), request, reply));
    },
    rewriteUrl: ({ url = '/' }) => splitTarget(url).path,
    // Ours to answer, in the form of every other error.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 4096 },
  };
}
