// The vault as a graph, and how far its notes have come.

// Notes that hold the rest together.
export { type Bridge, type Bridges, bridgesOf } from './bridges/bridges.ts';
// What is wrong.
export { asksFor, type BrokenLink, brokenLinks } from './diagnostics/broken-links.ts';
export { type ConflictCopy, conflictCopies } from './diagnostics/conflict-copies.ts';
export { duplicateTitles, isFreeTitle } from './diagnostics/duplicate-titles.ts';
export { emptyNotes, isReadable, unreadableProperties } from './diagnostics/empty-notes.ts';
export { nearlyNamed } from './diagnostics/near-names.ts';
export { hubNear, orphanNotes } from './diagnostics/orphans.ts';
export { sharing } from './diagnostics/sharing.ts';
export { staleInbox, type WaitingNote } from './diagnostics/stale-inbox.ts';
// What is near a note, and how two hang together.
export { type Neighbour, neighbourhood, type Way } from './neighbourhood.ts';
// The whole.
export {
  type GraphOverview,
  type GraphSize,
  graphOverview,
  graphSize,
  type LinkedNote,
  linkedNoteOf,
} from './overview.ts';
export { type RouteStep, shortestRoute } from './route.ts';
// Stages.
export { type Attention, attentionOf } from './stages/attention.ts';
export { type Digest, digestOf, type StagedNote } from './stages/digest.ts';
export { STAGES, type Stage, stageOf } from './stages/stage.ts';
// What is linked to and not there.
export { type Demand, unresolvedTargets, type Wanted, wantedBy } from './unresolved/demand.ts';
