import { foldTitle } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';
import { perGeneration } from '../per-generation.ts';
import { sharing } from './sharing.ts';

/** Notes that have their title in common, ignoring case, each group by path, the groups by the path of their first. */
export const duplicateTitles = perGeneration((view: View): readonly (readonly NoteRow[])[] => {
  const folded = foldedTitles(view);
  return sharing(view.notes(), (_, place) => folded[place]!);
});

/** True where no note of the View has this title. */
export function isFreeTitle(view: View, title: string): boolean {
  return !titles(view).has(foldTitle(title));
}

/** The titles of the notes by path, as they compare. */
const foldedTitles = perGeneration((view: View): readonly string[] =>
  view.notes().map(({ title }) => foldTitle(title)),
);

const titles = perGeneration((view: View): ReadonlySet<string> => new Set(foldedTitles(view)));
