import type { GardenSettings, NoteRow, View } from '@grove/vault';
import { byPath } from '../by-path.ts';
import { linksAt, linkTable } from '../link-table.ts';
import { type Growth, growthOf, isLeftOut, judgeStage, STAGES, type Stage } from './stage.ts';

/** A note with its stage and what it is staged by. */
export interface StagedNote extends Growth {
  readonly row: NoteRow;
  readonly stage: Stage;
  /** Notes that it links to. */
  readonly links: number;
}

/** The notes of a View by stage. */
export interface Digest {
  /** Every stage, in the order in which they are judged; see {@link ORDERS} for that of its notes. */
  readonly stages: readonly { readonly stage: Stage; readonly notes: readonly StagedNote[] }[];
  /** Notes that the owner's settings give no stage. */
  readonly leftOut: number;
}

type Order = (a: StagedNote, b: StagedNote) => number;

const youngest: Order = (a, b) => a.age - b.age;
const lastTouched: Order = (a, b) => a.untouched - b.untouched;
const mostLinked: Order = (a, b) => b.backlinks - a.backlinks;
const longestUntouched: Order = (a, b) => b.untouched - a.untouched;

/** What comes first in each stage; ties break by path. */
const ORDERS: Readonly<Record<Stage, Order>> = {
  seed: youngest,
  sprout: youngest,
  growing: lastTouched,
  mature: mostLinked,
  withering: longestUntouched,
  dormant: longestUntouched,
};

/** Stages every note of a View, at `now` in milliseconds since the epoch. */
export function digestOf(view: View, now: number, garden: GardenSettings): Digest {
  const table = linkTable(view);
  const staged: StagedNote[] = [];
  for (const [place, row] of table.rows.entries()) {
    if (isLeftOut(row, garden)) continue;
    const growth = growthOf(view, row, table.backlinks[place]!, now);
    staged.push({ row, stage: judgeStage(growth, garden.stages), ...growth, links: linksAt(table, place) });
  }
  return {
    stages: STAGES.map((stage) => ({
      stage,
      notes: staged
        .filter((note) => note.stage === stage)
        .sort((a, b) => ORDERS[stage](a, b) || byPath(a.row, b.row)),
    })),
    leftOut: view.size - staged.length,
  };
}
