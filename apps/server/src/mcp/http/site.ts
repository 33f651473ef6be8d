import {
  createMcpHandler,
  isLegacyRequest,
  type LegacyHttpHandler,
  legacyStatelessFallback,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import type { Caller } from '../../http/caller.ts';
import type { McpProfile } from '../factory.ts';
import { callerContext } from '../session-context.ts';
import type { McpSitesOptions } from './sites.ts';

/** MCP as one caller meets it. */
export class McpSite {
  readonly #modern: McpHttpHandler;
  readonly #stateless: LegacyHttpHandler;

  constructor(caller: Caller, profile: McpProfile, { createMcp, version, log }: McpSitesOptions) {
    const context = callerContext({ opened: caller.opened, version, log }, caller.scope);
    const onerror = (error: Error): void => log.debug({ err: error }, 'an MCP request was refused');
    this.#modern = createMcpHandler(({ era }) => createMcp(context, { era, profile, lasting: false }), {
      legacy: 'reject',
      onerror,
    });
    this.#stateless = legacyStatelessFallback(
      ({ era }) => createMcp(context, { era, profile, lasting: false }),
      onerror,
    );
  }

  async fetch(request: Request, body: Buffer | undefined): Promise<Response> {
    const parsed = body === undefined ? undefined : parseJson(body);
    const given = parsed === undefined ? {} : { parsedBody: parsed };
    if (await isLegacyRequest(request, parsed)) return await this.#stateless(request, given);
    return await this.#modern.fetch(request, given);
  }

  async close(): Promise<void> {
    await this.#modern.close();
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
