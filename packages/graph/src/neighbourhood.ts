import type { NoteRow, View } from '@grove/vault';
import { byPath } from './by-path.ts';
import { type NoteGraph, noteGraph } from './note-graph.ts';
import { degreeOf, type LinkedNote, linkedNote } from './overview.ts';

/** Which way a link between two notes goes: from the first to the second, back, or both. */
export type Way = 'to' | 'from' | 'both';

export interface Neighbour extends LinkedNote {
  /** Links between it and the note that was asked for, followed either way. */
  readonly distance: number;
  /** The note one step nearer from which it was reached; the first by path. */
  readonly via: NoteRow;
  /** The link between that note and it. */
  readonly way: Way;
}

/** The notes within `depth` links of a note, followed either way: nearest first, then the most connected. */
export function neighbourhood(view: View, center: NoteRow, depth: number): readonly Neighbour[] {
  const graph = noteGraph(view);
  const reached = new Set([center.id]);
  const neighbours: Neighbour[] = [];
  let ring = [center];
  for (let distance = 1; distance <= depth && ring.length > 0; distance += 1) {
    const next: NoteRow[] = [];
    for (const via of ring) {
      for (const row of neighboursOf(graph, via)) {
        if (reached.has(row.id)) continue;
        reached.add(row.id);
        next.push(row);
        neighbours.push({ ...linkedNote(graph, row), distance, via, way: wayBetween(graph, via, row) });
      }
    }
    ring = next.sort(byPath);
  }
  return neighbours.sort(
    (a, b) => a.distance - b.distance || degreeOf(b) - degreeOf(a) || byPath(a.row, b.row),
  );
}

/** The notes that a note links to or that link to it. */
export function neighboursOf(graph: NoteGraph, row: NoteRow): NoteRow[] {
  return graph.directed.neighbors(row.id).map((key) => graph.rowOf(key));
}

/** The link between two notes of which one links to the other. */
export function wayBetween({ directed }: NoteGraph, from: NoteRow, to: NoteRow): Way {
  if (!directed.hasDirectedEdge(from.id, to.id)) return 'from';
  return directed.hasDirectedEdge(to.id, from.id) ? 'both' : 'to';
}
