import { GroveError, nearest } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';
import type { Group, ListNotesInput } from './contract.ts';

const SORTS = ['modified', 'created', 'title', 'path', 'size', 'count'] as const;
type Sort = (typeof SORTS)[number];

/** What a list is ordered by; numbers go from the greatest, texts from a to z, `reverse` the other way. */
export interface Order {
  readonly by: Sort;
  readonly reverse: boolean;
}

/** Where an item stands in a list: its key, then its path or name, which no two share. */
export interface Place {
  readonly key: number | string;
  readonly name: string;
}

/**
 * Reads `sort`: `modified`, `-title`.
 *
 * @throws GroveError `bad_input`
 */
export function readOrder({ sort, of }: Pick<ListNotesInput, 'sort' | 'of'>): Order {
  if (sort === null)
    return { by: of === 'notes' ? 'modified' : of === 'folders' ? 'path' : 'count', reverse: false };
  const word = sort.trim().toLowerCase();
  const reverse = word.startsWith('-');
  const name = word.replace(/^[-+]/, '');
  const by = SORTS.find((known) => known === name) ?? (name === 'name' ? 'title' : undefined);
  const fits = of === 'notes' ? by !== 'count' : by === 'count' || by === 'title' || by === 'path';
  if (by === undefined || !fits) throw badSort(sort, of);
  return { by, reverse };
}

/** The place of a note. */
export function placeNote(view: View, row: NoteRow, { by }: Order): Place {
  return { key: noteKey(view, row, by), name: row.path };
}

/** The place of a folder, tag or type: by its count, else by its name. */
export function placeGroup({ name, notes }: Group, { by }: Order): Place {
  return { key: by === 'count' ? notes : name.toLowerCase(), name };
}

/** Compares two places in the order of the list. */
export function comparePlaces(a: Place, b: Place, { reverse }: Order): number {
  const by = compareKeys(a.key, b.key);
  if (by !== 0) return reverse ? -by : by;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function compareKeys(a: number | string, b: number | string): number {
  if (a === b) return 0;
  const less = a < b;
  // Newest, biggest and most used first; names from a.
  return typeof a === 'number' ? (less ? 1 : -1) : less ? -1 : 1;
}

function noteKey(view: View, row: NoteRow, by: Sort): number | string {
  switch (by) {
    case 'modified':
      return view.times(row).modified;
    case 'created':
      return view.times(row).created;
    case 'size':
    case 'count':
      return row.size;
    case 'title':
      // A first heading may be a whole page; the path decides between titles that begin alike.
      return row.title.toLowerCase().slice(0, 200);
    case 'path':
      return row.path;
  }
}

function badSort(sort: string, of: string): GroveError {
  const fitting = of === 'notes' ? SORTS.filter((by) => by !== 'count') : ['count', 'path'];
  const near = nearest(sort.replace(/^[-+]/, ''), fitting, 1)[0];
  const meant = near === undefined ? '' : `; did you mean "${near}"`;
  const shown = sort.slice(0, 60).toWellFormed();
  const reason = `"sort" of ${of} takes ${fitting.join(', ')}, with - to reverse, not "${shown}"${meant}`;
  return new GroveError('bad_input', { name: 'sort', reason });
}
