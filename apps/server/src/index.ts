// The process that owns a vault, and the ways to it; exports are promises. Sessions are in `@grove/server/stdio`, so
// that short commands do not load the MCP SDK.

// The owner as other processes reach it.
export { compileRules, NO_LIMITS, type OwnerFacts, type RuleSources, rulesOrNone } from './local/greeting.ts';
// Owning a vault.
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
// Logs.
export { createLog, type Log } from './log.ts';
