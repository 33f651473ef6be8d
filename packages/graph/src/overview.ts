import type { NoteRow, View } from '@grove/vault';
import { connectedComponents } from 'graphology-components';
import { directedDensity } from 'graphology-metrics/graph/density.js';
import { byPath } from './by-path.ts';
import { type NoteGraph, noteGraph } from './note-graph.ts';
import { perGeneration } from './per-generation.ts';

/** A note with how many notes it links to, and how many link to it. */
export interface LinkedNote {
  readonly row: NoteRow;
  readonly links: number;
  readonly backlinks: number;
}

/** The shape of the whole. */
export interface GraphOverview {
  readonly notes: number;
  readonly links: number;
  /** Links that are there of all that there could be, 0 to 1. */
  readonly density: number;
  /** Notes with links, those with most first. */
  readonly connected: readonly LinkedNote[];
  /** Notes that link to none and that none links to, by path. */
  readonly orphans: readonly NoteRow[];
  /** Groups of two notes or more that hang together by links either way, the largest first; each by path. */
  readonly components: readonly (readonly NoteRow[])[];
}

/** The overview of a View, as its last change left it. */
export const graphOverview = perGeneration((view): GraphOverview => {
  const graph = noteGraph(view);
  const { rows, directed } = graph;
  const linked = rows.map((row) => linkedNote(graph, row));
  return {
    notes: directed.order,
    links: directed.size,
    density: directedDensity(directed),
    connected: linked.filter((note) => degreeOf(note) > 0).sort((a, b) => degreeOf(b) - degreeOf(a)),
    orphans: linked.filter((note) => degreeOf(note) === 0).map(({ row }) => row),
    components: componentsOf(graph),
  };
});

/** A note of a View with its counts. */
export function linkedNoteOf(view: View, row: NoteRow): LinkedNote {
  return linkedNote(noteGraph(view), row);
}

/** The note with its counts. */
export function linkedNote({ directed }: NoteGraph, row: NoteRow): LinkedNote {
  return { row, links: directed.outDegree(row.id), backlinks: directed.inDegree(row.id) };
}

/** Links of a note either way. */
export function degreeOf({ links, backlinks }: LinkedNote): number {
  return links + backlinks;
}

function componentsOf({ rows, directed }: NoteGraph): NoteRow[][] {
  const groups = new Map<string, NoteRow[]>();
  for (const keys of connectedComponents(directed)) {
    const group: NoteRow[] = [];
    if (keys.length > 1) for (const key of keys) groups.set(key, group);
  }
  // By path, so that each group is, and so are groups of one size.
  for (const row of rows) groups.get(String(row.id))?.push(row);
  return [...new Set(groups.values())].sort((a, b) => b.length - a.length || byPath(a[0]!, b[0]!));
}
