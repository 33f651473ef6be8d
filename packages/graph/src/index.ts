// The vault as a graph, and how far its notes have come.

// Notes that hold the rest together.
export { type Bridge, type Bridges, bridgesOf } from './bridges/bridges.ts';
// What is near a note, and how two hang together.
export { type Neighbour, neighbourhood, type Way } from './neighbourhood.ts';
// The whole.
export { type GraphOverview, graphOverview, type LinkedNote, linkedNoteOf } from './overview.ts';
export { type RouteStep, shortestRoute } from './route.ts';
// Stages.
export { type Attention, attentionOf } from './stages/attention.ts';
export { type Digest, digestOf, type StagedNote } from './stages/digest.ts';
export { STAGES, type Stage, stageOf } from './stages/stage.ts';
// What is linked to and not there.
export { type Demand, unresolvedTargets, type Wanted, wantedBy } from './unresolved/demand.ts';
