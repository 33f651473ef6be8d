import type { GardenSettings, View } from '@grove/vault';
import { type Demand, unresolvedTargets } from '../unresolved/demand.ts';
import type { Digest, StagedNote } from './digest.ts';
import { STAGES, type Stage } from './stage.ts';

/** What of a View needs a look today. */
export interface Attention {
  /** Seeds that stop being seeds within two days as they are, the oldest first. */
  readonly ripeSeeds: readonly StagedNote[];
  /** Seeds, sprouts and growing notes with no link either way, the youngest first. */
  readonly unlinked: readonly StagedNote[];
  /** What several notes with a stage link to and no note is. */
  readonly askedFor: readonly Demand[];
  /** Withering notes, the longest untouched first. */
  readonly withering: readonly StagedNote[];
  /** Mature notes that nobody has touched for twice as long as makes a note dormant, the most linked first. */
  readonly unreviewed: readonly StagedNote[];
}

const DAYS_AHEAD = 2;
/** Of the notes that ask for one that is not there. */
const SEVERAL = 3;

/** What needs a look, from a digest of the same View. */
export function attentionOf(view: View, { stages }: Digest, { stages: limits }: GardenSettings): Attention {
  const of = (...wanted: Stage[]): StagedNote[] =>
    stages.filter(({ stage }) => wanted.includes(stage)).flatMap(({ notes }) => notes);
  const staged = new Set(of(...STAGES).map(({ row }) => row.id));
  return {
    ripeSeeds: of('seed')
      .filter(({ age }) => age > limits.seed.age - DAYS_AHEAD)
      .reverse(),
    unlinked: of('seed', 'sprout', 'growing')
      .filter(({ links, backlinks }) => links + backlinks === 0)
      .sort((a, b) => a.age - b.age),
    askedFor: unresolvedTargets(view).filter(
      ({ askers }) => askers.length >= SEVERAL && askers.filter(({ id }) => staged.has(id)).length >= SEVERAL,
    ),
    withering: of('withering'),
    unreviewed: of('mature').filter(({ untouched }) => untouched >= 2 * limits.dormant.untouched),
  };
}
