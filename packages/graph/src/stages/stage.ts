import type { GardenSettings, NoteRow, View } from '@grove/vault';

/** How far a note has come, in the order in which it is judged. */
export const STAGES = ['seed', 'sprout', 'growing', 'mature', 'withering', 'dormant'] as const;

export type Stage = (typeof STAGES)[number];

/** What a note is staged by: days since it was made and changed, how long it is, how many notes link to it. */
export interface Growth {
  readonly age: number;
  readonly untouched: number;
  readonly words: number;
  readonly backlinks: number;
}

const DAY = 24 * 60 * 60 * 1000;

/** The growth of a note with so many backlinks as this View sees it, `now` in milliseconds since the epoch. */
export function growthOf(view: View, row: NoteRow, backlinks: number, now: number): Growth {
  const { created, modified } = view.times(row);
  return { age: (now - created) / DAY, untouched: (now - modified) / DAY, words: row.words, backlinks };
}

/** The stage of a note, or null where the owner's settings leave it out. */
export function stageOf(view: View, row: NoteRow, now: number, garden: GardenSettings): Stage | null {
  if (isLeftOut(row, garden)) return null;
  return judgeStage(growthOf(view, row, view.sourceIds(row).length, now), garden.stages);
}

/** True for a note that the owner's settings give no stage. */
export function isLeftOut(row: NoteRow, { leaveOut }: GardenSettings): boolean {
  return leaveOut.some((rule) => rule.matches(row.path));
}

/** The first stage that fits; a note that fits none is growing. */
export function judgeStage(
  { age, untouched, words, backlinks }: Growth,
  { seed, sprout, growing, mature, withering, dormant }: GardenSettings['stages'],
): Stage {
  if (age <= seed.age && words < seed.words && backlinks < seed.backlinks) return 'seed';
  if (age <= sprout.age && backlinks < sprout.backlinks) return 'sprout';
  if (untouched < growing.touched || (age <= growing.age && backlinks > growing.backlinks)) return 'growing';
  if (age > mature.age && backlinks >= mature.backlinks && untouched >= mature.untouched) return 'mature';
  if (untouched >= withering.untouched && backlinks < withering.backlinks) return 'withering';
  return untouched >= dormant.untouched ? 'dormant' : 'growing';
}
