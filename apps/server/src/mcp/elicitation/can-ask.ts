import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type McpServer,
  type ProtocolEra,
  type ServerContext,
} from '@modelcontextprotocol/server';

/**
 * Whether the client of a call can show its person a form: revision 2026-07-28 says so with each request, the ones
 * before with the handshake. `elicitation: {}` means forms (2025-11-25, client capabilities).
 */
export function canAsk(server: McpServer, { mcpReq }: ServerContext, era: ProtocolEra): boolean {
  const envelope: Readonly<Record<string, ClientCapabilities>> = mcpReq.envelope ?? {};
  const declared =
    era === 'modern' ? envelope[CLIENT_CAPABILITIES_META_KEY] : server.server.getClientCapabilities();
  const elicitation = declared?.elicitation;
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || Object.keys(elicitation).length === 0;
}
