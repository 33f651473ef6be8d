import type { NoteRow, View } from '@grove/vault';
import { perGeneration } from './per-generation.ts';

/**
 * The notes of one View and their links by the places of the notes in order of paths: who links to whom, links to the note
 * itself left out, repeated links once.
 */
export interface LinkTable {
  /** By path. */
  readonly rows: readonly NoteRow[];
  /** The places of all linked notes; those of one note from its own start to the start of the next. */
  readonly targets: Uint32Array;
  readonly starts: Uint32Array;
  /** By place, how many notes link to the note. */
  readonly backlinks: Uint32Array;
}

/** The links of a View, as its last change left them. */
export const linkTable = perGeneration((view: View): LinkTable => {
  const rows = view.notes();
  const places = new Map<number, number>();
  const starts = new Uint32Array(rows.length + 1);
  const lists = rows.map((row, place) => {
    const ids = view.targetIds(row);
    places.set(row.id, place);
    starts[place + 1] = starts[place]! + ids.length;
    return ids;
  });
  const targets = new Uint32Array(starts[rows.length]!);
  const backlinks = new Uint32Array(rows.length);
  let at = 0;
  for (const ids of lists) {
    for (const id of ids) {
      const place = places.get(id)!;
      targets[at] = place;
      backlinks[place]! += 1;
      at += 1;
    }
  }
  return { rows, targets, starts, backlinks };
});

/** How many notes the one at a place links to. */
export function linksAt({ starts }: LinkTable, place: number): number {
  return starts[place + 1]! - starts[place]!;
}

/** Links of the note at a place either way. */
export function degreeAt(table: LinkTable, place: number): number {
  return linksAt(table, place) + table.backlinks[place]!;
}

/** Every link as the places of its two notes: from, to, from, to ... */
export function linkPairs({ rows, starts, targets }: LinkTable): Uint32Array<ArrayBuffer> {
  const pairs = new Uint32Array(2 * targets.length);
  for (let place = 0; place < rows.length; place += 1) {
    for (let at = starts[place]!; at < starts[place + 1]!; at += 1) {
      pairs[2 * at] = place;
      pairs[2 * at + 1] = targets[at]!;
    }
  }
  return pairs;
}
