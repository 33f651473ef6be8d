// The process that owns a vault, and the ways to it; exports are promises. Sessions are in `@grove/server/stdio`, so
// that short commands do not load the MCP SDK.

// Writing calls down.
export type { AuditBook } from './audit/call-recorder.ts';
// Serving HTTP, which is in `@grove/server/http`: the address, the caps where nothing else is set, and what a server
// answers to.
export { type ListenAddress, listenFault } from './http/listen-address.ts';
export { localUrl, mcpAddress, ownUrl } from './http/local-url.ts';
export { DEFAULT_LIMITS, type ServerNames } from './http/options.ts';
export { isReadable } from './http/readable-address.ts';
export { isLoopback, parseServerNames } from './http/server-names.ts';
// The owner as other processes reach it.
export { findOwner } from './local/find-owner.ts';
export type { HttpAddress, OwnerFacts } from './local/greeting.ts';
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
  maintainOwner,
  OwnerError,
  previewOwner,
  reindexOwner,
  requestHandOver,
  switchOwnersWrites,
  type WritesState,
} from './local/owner-client.ts';
// Logs.
export { createLog, type Log } from './log.ts';
// Where else the owner may sign in.
export type { UpstreamSetting } from './oauth/upstream/providers.ts';
// What a caller may reach.
export { compileRules, type RuleSources, rulesOrNone } from './rule-sources.ts';
// Trails as their owner looks at them.
export { type PreviewAnswer, previewAnswer } from './trails/preview-answer.ts';
export { type TrailRuleTexts, trailRulesOf } from './trails/rule-texts.ts';
