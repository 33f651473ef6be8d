import { serverInstructions } from '@grove/service';
import { McpServer, type ServerCapabilities } from '@modelcontextprotocol/server';
import type { McpContext } from './context.ts';
import type { McpConnection } from './factory.ts';
import { ADDING_INSTRUCTIONS, registerNotes } from './profiles/notes.ts';
import { registerSearch, SEARCH_INSTRUCTIONS } from './profiles/search.ts';

/**
 * How long a client may keep the list of tools without asking again. Which of Grove's own are listed depends on the
 * key, and on a switch whose turning a client may miss.
 */
const TOOLS_HINTS = {
  notes: { ttlMs: 60_000, cacheScope: 'private' },
  search: { ttlMs: 3_600_000, cacheScope: 'public' },
} as const;

/** The list of prompts is that of this version. */
const PROMPTS_HINT = { ttlMs: 3_600_000, cacheScope: 'private' } as const;

/**
 * The MCP server of one session, or of one request: a tool for each operation, the resources, the prompts and the instructions of
 * this scope. Serves either protocol era; what it listens to ends when the connection closes, a discarded probe
 * included.
 *
 * @example serveStdio(({ era }) => createMcpServer(context, { era, profile: 'notes', lasting: true }))
 */
export function createMcpServer(context: McpContext, connection: McpConnection): McpServer {
  const server = new McpServer(
    { name: 'grove', title: 'Grove', version: context.version },
    {
      ...(isGreeting(connection) ? { instructions: instructionsFor(context, connection) } : {}),
      capabilities: capabilitiesOf(context, connection),
      cacheHints: { 'tools/list': TOOLS_HINTS[connection.profile], 'prompts/list': PROMPTS_HINT },
    },
  );
  if (connection.profile === 'search') registerSearch(server, context, connection);
  else registerNotes(server, context, connection);
  return server;
}

/** Only these requests are answered with instructions, and to write them takes a look at every note. */
function isGreeting({ method }: McpConnection): boolean {
  return method === undefined || method === 'initialize' || method === 'server/discover';
}

function instructionsFor({ scope }: McpContext, { profile }: McpConnection): string {
  if (profile === 'search') return SEARCH_INSTRUCTIONS;
  return scope.may.read ? serverInstructions(scope) : ADDING_INSTRUCTIONS;
}

function capabilitiesOf({ scope }: McpContext, { era, lasting, profile }: McpConnection): ServerCapabilities {
  if (profile === 'search') return { tools: { listChanged: false } };
  // Revision 2026-07-28 has streams of its own for what is told; before that it takes a session.
  const tells = lasting || era === 'modern';
  if (!scope.may.read) return { tools: { listChanged: tells } };
  return {
    tools: { listChanged: tells },
    resources: { subscribe: tells, listChanged: tells },
    prompts: { listChanged: false },
    completions: {},
  };
}
