import { GroveError, nearest } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';
import type { Group, ListNotesInput } from './contract.ts';
import type { TaskOfNote } from './tasks.ts';

type Sort = 'modified' | 'created' | 'title' | 'path' | 'size' | 'count' | 'due';

/** Sorts of each kind of list, its own first. */
const FITTING: Readonly<Record<ListNotesInput['of'], readonly [Sort, ...Sort[]]>> = {
  notes: ['modified', 'created', 'title', 'path', 'size'],
  folders: ['path', 'count'],
  tags: ['count', 'path'],
  types: ['count', 'path'],
  tasks: ['due', 'modified', 'created', 'title', 'path', 'size'],
};

/** After every day that a task may be due. */
const NEVER = '9999-99-99';

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
  const fitting = FITTING[of];
  if (sort === null) return { by: fitting[0], reverse: false };
  const word = sort.trim().toLowerCase();
  const name = word.replace(/^[-+]/, '');
  const meant =
    name === 'name' || (name === 'title' && !fitting.includes('title')) ? nameSort(fitting) : name;
  const by = fitting.find((known) => known === meant);
  if (by === undefined) throw badSort(sort, of);
  return { by, reverse: word.startsWith('-') };
}

/** How a list is ordered by name. */
function nameSort(fitting: readonly Sort[]): Sort {
  return fitting.includes('title') ? 'title' : 'path';
}

/** The place of a note. */
export function placeNote(view: View, row: NoteRow, { by }: Order): Place {
  return { key: noteKey(view, row, by), name: row.path };
}

/** The place of a task: when it is due, else that of its note; tasks of a note stay in its order. */
export function placeTask(view: View, { row, task }: TaskOfNote, { by }: Order): Place {
  const key = by === 'due' ? (task.due ?? NEVER) : noteKey(view, row, by);
  return { key, name: `${row.path}\n${String(task.line).padStart(10, '0')}` };
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
      return row.size;
    case 'title':
      // A first heading may be a whole page; the path decides between titles that begin alike.
      return row.title.toLowerCase().slice(0, 200);
    default:
      return row.path;
  }
}

function badSort(sort: string, of: ListNotesInput['of']): GroveError {
  const fitting = FITTING[of];
  const near = nearest(sort.replace(/^[-+]/, ''), fitting, 1)[0];
  const meant = near === undefined ? '' : `; did you mean "${near}"`;
  const shown = sort.slice(0, 60).toWellFormed();
  const reason = `"sort" of ${of} takes ${fitting.join(', ')}, with - to reverse, not "${shown}"${meant}`;
  return new GroveError('bad_input', { name: 'sort', reason });
}
