import type { McpServer, ProtocolEra } from '@modelcontextprotocol/server';
import type { McpContext } from './context.ts';

/** What the tools of a connection are called: Grove's own, or `search` and `fetch` for hosts that want these. */
export type McpProfile = 'notes' | 'search';

/** The connection that an MCP server is made for. */
export interface McpConnection {
  readonly era: ProtocolEra;
  readonly profile: McpProfile;
  /** False for a server that answers one request and is dropped: nothing can be told through it later. */
  readonly lasting: boolean;
  /** Method of the one request that is answered, where only one is: what it does not touch may be left out. */
  readonly method?: string | undefined;
}

/** Makes the MCP server of one connection, or of one request. Free of side effects until it is connected. */
export type McpServerFactory = (context: McpContext, connection: McpConnection) => McpServer;
