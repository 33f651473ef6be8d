/** Places between the steps of a write, in the order in which they are passed. */
export const STEPS = [
  'looked',
  'planned',
  'locked',
  'built',
  'prepared',
  'journaled',
  'stored',
  'placed',
  'moved',
  'acknowledged',
  'published',
  'indexed',
  'synced',
  'finished',
] as const;

/** Those of a pull, likewise; `pull_placed` comes once for each file. */
export const PULL_STEPS = [
  'pull_looked',
  'pull_planned',
  'pull_stored',
  'pull_journaled',
  'pull_placed',
  'pull_settled',
  'pull_moved',
  'pull_indexed',
  'pull_finished',
] as const;

export type Step = (typeof STEPS)[number] | (typeof PULL_STEPS)[number];

/**
 * Called at each place; a test kills the process there, or saves a file as somebody else would. `placed` comes once
 * for each file. From `indexed` on it is the work in the background.
 */
export type StepListener = (step: Step) => void | Promise<void>;
