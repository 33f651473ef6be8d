import type { NoteRow, View } from '@grove/vault';
import { byPath } from './by-path.ts';
import { degreeOf, type LinkedNote, linkedNoteOf } from './overview.ts';

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
  const reached = new Set([center.id]);
  const neighbours: Neighbour[] = [];
  let ring = [center];
  for (let distance = 1; distance <= depth && ring.length > 0; distance += 1) {
    const next: NoteRow[] = [];
    for (const via of ring) {
      for (const { row, way } of neighboursOf(view, via)) {
        if (reached.has(row.id)) continue;
        reached.add(row.id);
        next.push(row);
        neighbours.push({ ...linkedNoteOf(view, row), distance, via, way });
      }
    }
    ring = next.sort(byPath);
  }
  return neighbours.sort(
    (a, b) => a.distance - b.distance || degreeOf(b) - degreeOf(a) || byPath(a.row, b.row),
  );
}

/** The notes that a note links to or that link to it, each once, with the way of the link from it. */
export function neighboursOf(view: View, row: NoteRow): { readonly row: NoteRow; readonly way: Way }[] {
  const ways = new Map<number, Way>(view.targetIds(row).map((id) => [id, 'to']));
  for (const id of view.sourceIds(row)) ways.set(id, ways.has(id) ? 'both' : 'from');
  return [...ways].flatMap(([id, way]) => {
    const other = view.byId(id);
    return other === null ? [] : [{ row: other, way }];
  });
}
