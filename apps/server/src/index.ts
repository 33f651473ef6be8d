// The MCP server and the ways into it; exports are promises.

// The owner as other processes reach it.
export { compileRules, NO_LIMITS, type OwnerFacts, type RuleSources, rulesOrNone } from './local/greeting.ts';
export {
  isOccupancy,
  type Occupancy,
  type OccupancyOptions,
  type OtherOwner,
  tryOccupy,
} from './local/occupancy.ts';
export {
  askOwner,
  type CallProgress,
  callOwner,
  OwnerError,
  reindexOwner,
  requestHandOver,
} from './local/owner-client.ts';
// Sessions over two streams, and the process that owns a vault.
export { type StdioSession, serveStdioSession } from './local/stdio-session.ts';
// Logs.
export { createLog, type Log } from './log.ts';
// MCP.
export { createMcpServer } from './mcp/server.ts';
