import { folderOf } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';
import { perGeneration } from '../per-generation.ts';

/** Notes that link to none and that none links to, by path: those of the overview, without the cost of all of it. */
export const orphanNotes = perGeneration((view: View): readonly NoteRow[] =>
  view.notes().filter((row) => linksOf(view, row) === 0),
);

/** The note of a folder with most links either way, else that of the vault; the first by path of several. Null without links. */
export function hubNear(view: View, row: NoteRow): NoteRow | null {
  const hubs = hubsOf(view);
  return hubs.get(folderOf(row.path)) ?? hubs.get(null) ?? null;
}

/** By folder; null stands for the whole vault. */
const hubsOf = perGeneration((view: View): ReadonlyMap<string | null, NoteRow> => {
  const most = new Map<string | null, { readonly row: NoteRow; readonly links: number }>();
  for (const row of view.notes()) {
    const links = linksOf(view, row);
    for (const place of [folderOf(row.path), null])
      if (links > (most.get(place)?.links ?? 0)) most.set(place, { row, links });
  }
  return new Map([...most].map(([place, { row }]) => [place, row]));
});

function linksOf(view: View, row: NoteRow): number {
  return view.targetIds(row).length + view.sourceIds(row).length;
}
