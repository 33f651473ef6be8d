import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  legacyStatelessFallback,
  type McpHttpHandler,
  type McpServerFactory as SdkFactory,
} from '@modelcontextprotocol/server';
import { type Caller, holderOf } from '../../http/caller.ts';
import type { AppOptions } from '../../http/options.ts';
import type { CallWatch, McpContext } from '../context.ts';
import type { McpProfile, McpServerFactory } from '../factory.ts';
import { ChangeBus } from '../resources/change-bus.ts';
import type { ViewChanges } from '../resources/view-changes.ts';
import { callerContext } from '../session-context.ts';
import { requestIds, withoutCancellations } from './messages.ts';
import { rpcError } from './rpc-error.ts';
import { McpSession, type SessionOwner } from './session.ts';
import type { Sessions } from './sessions.ts';

interface McpSiteOptions extends Pick<AppOptions, 'version' | 'log' | 'clock'> {
  readonly createMcp: McpServerFactory;
  readonly sessions: Sessions;
  /** What changes in the caller's View. */
  readonly changes: ViewChanges;
  readonly calls: CallWatch;
}

const SESSION_HEADER = 'mcp-session-id';

/** MCP as one token meets it at one address, in every revision of the protocol. */
export class McpSite {
  readonly #options: McpSiteOptions;
  readonly #profile: McpProfile;
  readonly #context: McpContext;
  readonly #owner: SessionOwner;
  readonly #modern: McpHttpHandler;
  /** Revision 2026-07-28 too, for `subscriptions/listen` alone: its streams end before the calls do. */
  readonly #listening: McpHttpHandler;
  #isMute = false;
  /** One for each exchange that is not over. */
  readonly #open = new Set<AbortController>();
  readonly #onerror: (error: Error) => void;

  constructor(caller: Caller, profile: McpProfile, options: McpSiteOptions) {
    const { createMcp, version, log, changes, calls } = options;
    this.#options = options;
    this.#profile = profile;
    this.#owner = {
      keyId: caller.principal.id,
      holder: holderOf(caller),
      credential: caller.credential,
      site: this,
    };
    this.#context = callerContext({ opened: caller.opened, version, log }, caller.scope, changes, calls);
    this.#onerror = (error) => log.debug({ err: error }, 'an MCP request was refused');
    const onerror = this.#onerror;
    // The SDK has compared this header with the body.
    const factory: SdkFactory = ({ era, requestInfo }) =>
      createMcp(this.#context, {
        era,
        profile,
        lasting: false,
        method: requestInfo?.headers.get('mcp-method') ?? undefined,
      });
    this.#modern = createMcpHandler(factory, { legacy: 'reject', onerror });
    const bus = new ChangeBus(this.#context, onerror);
    this.#listening = createMcpHandler(factory, { legacy: 'reject', onerror, bus });
  }

  /**
   * Answers one request. Revision 2026-07-28 has no sessions; of 2025-11-25, a client that can be asked something
   * gets one, and every other request is answered by itself, ids of sessions that are not known included: the
   * protocol has 404 for them, but clients do not recover from that when a server was restarted.
   *
   * @param given the parsed body; undefined where there is none
   * @param over the controller of the request's signal
   */
  async serve(request: Request, given: unknown, over: AbortController): Promise<Response> {
    // What comes together with its own cancellation is answered: the SDK would say nothing, and never end.
    const together = new Set(requestIds(given));
    const body = withoutCancellations(given, (id) => together.has(id));
    if (!over.signal.aborted) this.#open.add(over);
    over.signal.addEventListener('abort', () => this.#open.delete(over));
    if (!(await isLegacyRequest(request, body))) {
      const handler = isListen(body) ? this.#listening : this.#modern;
      // It may have ended while the request was looked at.
      if (over.signal.aborted || (handler === this.#listening && this.#isMute)) return ended();
      return await handler.fetch(request, { parsedBody: body });
    }
    if (isInitializeRequest(body)) {
      const { elicitation, sampling, roots } = body.params.capabilities;
      const canBeAsked = elicitation !== undefined || sampling !== undefined || roots !== undefined;
      return canBeAsked ? await this.#begin(request, body) : await this.#once(request, body);
    }
    const id = request.headers.get(SESSION_HEADER);
    const session = id === null ? null : this.#options.sessions.find(id, this.#owner);
    if (session === 'ended') return rpcError(404, null, -32_001, 'Session not found');
    return session === null ? await this.#once(request, body) : await session.serve(request, body);
  }

  /** Ends the streams that changes are told on, each with its last word; calls go on. */
  async endStreams(): Promise<void> {
    this.#isMute = true;
    await this.#listening.close();
  }

  /** Ends its sessions, its streams, and what it is answering. */
  async end(): Promise<void> {
    this.#options.sessions.endOf(this);
    await this.endStreams();
    await this.#modern.close();
    for (const over of this.#open) over.abort('the exchange was ended');
  }

  async #begin(request: Request, body: unknown): Promise<Response> {
    const { createMcp, clock, sessions } = this.#options;
    const server = createMcp(this.#context, {
      era: 'legacy',
      profile: this.#profile,
      lasting: true,
    });
    const session = new McpSession(this.#owner, server, clock, (ended) => sessions.end(ended));
    const { response, begun } = await session.begin(request, body);
    if (begun) sessions.add(session);
    return response;
  }

  /** Answers with a server that is dropped afterwards. */
  async #once(request: Request, body: unknown): Promise<Response> {
    const { createMcp } = this.#options;
    const method = methodOf(body);
    const serve = legacyStatelessFallback(
      ({ era }) => createMcp(this.#context, { era, profile: this.#profile, lasting: false, method }),
      this.#onerror,
    );
    return await serve(request, body === undefined ? {} : { parsedBody: body });
  }
}

/** True for the request that opens a stream of revision 2026-07-28. */
export function isListen(body: unknown): boolean {
  return methodOf(body) === 'subscriptions/listen';
}

/** The SDK's answer where an exchange ended before there was one. */
function ended(): Response {
  return new Response(null, { status: 499 });
}

function methodOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('method' in body)) return undefined;
  return typeof body.method === 'string' ? body.method : undefined;
}
