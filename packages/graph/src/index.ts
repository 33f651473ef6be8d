// The vault as a graph, and how far its notes have come.

// Stages.
export { STAGES, type Stage, stageOf } from './stages/stage.ts';
