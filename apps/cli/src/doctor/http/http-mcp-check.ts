import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { note, problem } from '../finding.ts';
import { type Revision, trySession } from '../mcp-check.ts';
import { bearer, reasonOf } from './ask.ts';
import type { ServerCheck } from './subject.ts';

/** A session over HTTP with a key, with the list of tools and one call, in one revision of MCP. */
export function httpMcpCheck(revision: Revision): ServerCheck {
  return {
    name: `HTTP ${revision}`,
    run: async ({ url, keys, version }) => {
      if (keys === null) return note('not checked: no key could be made');
      const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
        requestInit: { headers: bearer(keys.reading) },
      });
      try {
        return await trySession(revision, version, transport);
      } catch (error) {
        return problem(
          `no session at ${url}/mcp (${reasonOf(error)})`,
          'See the log of the server (GROVE_LOG_LEVEL=debug), and whether the other checks pass.',
        );
      }
    },
  };
}
