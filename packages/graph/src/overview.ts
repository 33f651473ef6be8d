import type { NoteRow, View } from '@grove/vault';
import { componentsOf } from './components.ts';
import { orphanNotes } from './diagnostics/orphans.ts';
import { linksAt, linkTable } from './link-table.ts';
import { perGeneration } from './per-generation.ts';

/** A note with how many notes it links to, and how many link to it. */
export interface LinkedNote {
  readonly row: NoteRow;
  readonly links: number;
  readonly backlinks: number;
}

/** How many notes and links there are. */
export interface GraphSize {
  readonly notes: number;
  readonly links: number;
  /** Links that are there of all that there could be, 0 to 1. */
  readonly density: number;
}

/** The shape of the whole. */
export interface GraphOverview extends GraphSize {
  /** Notes with links, those with most first. */
  readonly connected: readonly LinkedNote[];
  /** Notes that link to none and that none links to, by path. */
  readonly orphans: readonly NoteRow[];
  /** Groups of two notes or more that hang together by links either way, the largest first; each by path. */
  readonly components: readonly (readonly NoteRow[])[];
}

/** The overview of a View, as its last change left it. */
export const graphOverview = perGeneration((view): GraphOverview => {
  const table = linkTable(view);
  const connected: LinkedNote[] = [];
  for (const [place, row] of table.rows.entries()) {
    const note = { row, links: linksAt(table, place), backlinks: table.backlinks[place]! };
    if (degreeOf(note) > 0) connected.push(note);
  }
  return {
    ...graphSize(view),
    connected: connected.sort((a, b) => degreeOf(b) - degreeOf(a)),
    orphans: orphanNotes(view),
    components: componentsOf(table),
  };
});

/** How large the graph of a View is. */
export function graphSize(view: View): GraphSize {
  const { rows, targets } = linkTable(view);
  const pairs = rows.length * (rows.length - 1);
  return { notes: rows.length, links: targets.length, density: pairs === 0 ? 0 : targets.length / pairs };
}

/** A note of a View with its counts. */
export function linkedNoteOf(view: View, row: NoteRow): LinkedNote {
  return { row, links: view.targetIds(row).length, backlinks: view.sourceIds(row).length };
}

/** Links of a note either way. */
export function degreeOf({ links, backlinks }: LinkedNote): number {
  return links + backlinks;
}
