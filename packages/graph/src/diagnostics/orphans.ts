import { folderOf } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';
import { degreeAt, linkTable } from '../link-table.ts';
import { perGeneration } from '../per-generation.ts';

/** Notes that link to none and that none links to, by path: those of the overview, without the cost of all of it. */
export const orphanNotes = perGeneration((view: View): readonly NoteRow[] => {
  const table = linkTable(view);
  return table.rows.filter((_, place) => degreeAt(table, place) === 0);
});

/** The note of a folder with most links either way, else that of the vault; the first by path of several. Null without links. */
export function hubNear(view: View, row: NoteRow): NoteRow | null {
  const hubs = hubsOf(view);
  return hubs.get(folderOf(row.path)) ?? hubs.get(null) ?? null;
}

/** By folder; null stands for the whole vault. */
const hubsOf = perGeneration((view: View): ReadonlyMap<string | null, NoteRow> => {
  const table = linkTable(view);
  const most = new Map<string | null, { readonly row: NoteRow; readonly links: number }>();
  for (const [place, row] of table.rows.entries()) {
    const links = degreeAt(table, place);
    for (const folder of [folderOf(row.path), null])
      if (links > (most.get(folder)?.links ?? 0)) most.set(folder, { row, links });
  }
  return new Map([...most].map(([folder, { row }]) => [folder, row]));
});
