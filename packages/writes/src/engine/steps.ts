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

export type Step = (typeof STEPS)[number];

/**
 * Called at each place; a test kills the process there, or saves a file as somebody else would. `placed` comes once
 * for each file. From `indexed` on it is the work in the background.
 */
export type StepListener = (step: Step) => void | Promise<void>;
