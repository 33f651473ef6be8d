import { foldTitle } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';
import { perGeneration } from '../per-generation.ts';

/** The notes of a View by their title, ignoring case. */
const titles = perGeneration((view: View): ReadonlyMap<string, readonly NoteRow[]> => {
  const byTitle = new Map<string, NoteRow[]>();
  for (const row of view.notes()) {
    const title = foldTitle(row.title);
    const known = byTitle.get(title);
    if (known === undefined) byTitle.set(title, [row]);
    else known.push(row);
  }
  return byTitle;
});

/** Notes that have their title in common, each group by path, the groups by the path of their first. */
export const duplicateTitles = perGeneration((view: View): readonly (readonly NoteRow[])[] =>
  [...titles(view).values()].filter((rows) => rows.length > 1),
);

/** True where no note of the View has this title. */
export function isFreeTitle(view: View, title: string): boolean {
  return !titles(view).has(foldTitle(title));
}
