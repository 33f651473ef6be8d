import type { NoteRow, View } from '@grove/vault';
import { undirectedSingleSourceLength } from 'graphology-shortest-path/unweighted.js';
import { byPath } from './by-path.ts';
import { neighboursOf, type Way } from './neighbourhood.ts';
import { noteGraph } from './note-graph.ts';

/** A note on a way, and the link that leads to it from the note before; null for the first. */
export interface RouteStep {
  readonly row: NoteRow;
  readonly way: Way | null;
}

/**
 * A shortest way from one note to another by links followed either way, both ends included; null where there is none.
 * Of several the one whose paths come first, so that equal Views give equal ways.
 */
export function shortestRoute(view: View, from: NoteRow, to: NoteRow): readonly RouteStep[] | null {
  const left = undirectedSingleSourceLength(noteGraph(view), to.id);
  let distance = left[from.id];
  if (distance === undefined) return null;
  const steps: RouteStep[] = [{ row: from, way: null }];
  let last = from;
  for (distance -= 1; distance >= 0; distance -= 1) {
    const nearer = neighboursOf(view, last).filter(({ row }) => left[row.id] === distance);
    const step = nearer.sort((a, b) => byPath(a.row, b.row))[0]!;
    steps.push(step);
    last = step.row;
  }
  return steps;
}
