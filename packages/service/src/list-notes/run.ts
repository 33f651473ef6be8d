import { type FolderPath, GroveError, isWithin, Slices, stripEnd } from '@grove/core';
import type { NoteRow } from '@grove/vault';
import { clip, isoTime, noteFacts, oneLine } from '../answers/note-facts.ts';
import { FRAME_BYTES, fillPage, TEXT_BYTES } from '../answers/size.ts';
import type { Scope } from '../contract.ts';
import { openCursor, sealCursor } from '../cursors/cursor.ts';
import { emptyRemarks } from '../filters/empty.ts';
import { findFolder, folderFilter } from '../filters/folders.ts';
import { compileFilters, selectRows } from '../filters/select.ts';
import { isGlob, namePattern, pathGlob } from '../notes/name-pattern.ts';
import { findStale } from '../notes/recheck.ts';
import { buildingRemarks } from '../vault-status/building.ts';
import type { Group, ListedNote, ListedTask, ListNotesAnswer, ListNotesInput } from './contract.ts';
import { shownFields } from './fields.ts';
import { groupByFolder, groupByTag, groupByType } from './groups.ts';
import {
  comparePlaces,
  type Order,
  type Place,
  placeGroup,
  placeNote,
  placeTask,
  readOrder,
} from './order.ts';
import { findTasks, type TaskOfNote } from './tasks.ts';

/** Of a task's text, in UTF-16 units. */
const LONGEST_TASK = 300;

interface Placed<T> {
  readonly item: T;
  readonly place: Place;
}

/** What a list is made of. */
type Listed = NoteRow | Group | TaskOfNote;

/** What a line of an answer is made from one of them. */
type Shown = ListedNote | Group | ListedTask;

/** A list as the catalog has it, and what of it is wanted now. */
interface FoundList {
  readonly list: readonly Placed<Listed>[];
  readonly wanted: readonly Placed<Listed>[];
  /** Notes that the filters leave. */
  readonly notes: number;
  readonly remarks: readonly string[];
}

/** How often a list is made again for notes that changed; those that still do are left out. */
const RETRIES = 2;

/**
 * Lists notes, or the folders, tags, types or tasks of the notes that the filters leave. Each note that is named is
 * judged again by what is on disk now.
 *
 * @throws GroveError `bad_cursor`, `bad_input`, `bad_filter`, `bad_path`, `bad_regex`
 */
export async function runListNotes(scope: Scope, input: ListNotesInput): Promise<ListNotesAnswer> {
  const { cursor, limit: _, ...rest } = input;
  const subject = { operation: 'list_notes', input: rest };
  const after = cursor === null ? null : readPlace(openCursor(scope, subject, cursor));
  const order = readOrder(input);
  if (input.of !== 'tasks' && input.states.length > 0)
    throw new GroveError('bad_input', { name: 'states', reason: '"states" goes with of: tasks' });
  const { list, wanted, fresh, notes, remarks } = await findFresh(scope, input, order, after);
  const page = fillPage(shown(scope, fresh, input), TEXT_BYTES - FRAME_BYTES);
  const isWhole = page.items.length === fresh.length;
  const last = isWhole ? wanted.at(-1) : fresh[page.items.length - 1];
  const more = last !== undefined && last !== list.at(-1);
  return {
    of: input.of,
    total: list.length,
    notes_total: notes,
    ...named(input.of, page.items),
    remarks: [...remarks],
    ...(more ? { cursor: sealCursor(scope, subject, last.place) } : {}),
  };
}

/** The list once what is wanted of it is as the disk has it; `fresh` leaves out what still is not. */
async function findFresh(
  scope: Scope,
  input: ListNotesInput,
  order: Order,
  after: Place | null,
): Promise<FoundList & { readonly fresh: readonly Placed<Listed>[] }> {
  for (let attempt = 0; ; attempt += 1) {
    const found = await findList(scope, input, order, after);
    const rows = new Set(found.wanted.flatMap(({ item }) => (isGroup(item) ? [] : noteOf(item))));
    const stale = await findStale(scope, [...rows], scope.vault.sequence);
    if (stale.length === 0 || attempt === RETRIES) {
      const isFresh = ({ id, path }: NoteRow): boolean =>
        !stale.includes(path) && scope.view.byId(id) !== null;
      return { ...found, fresh: found.wanted.filter(({ item }) => isGroup(item) || isFresh(noteOf(item))) };
    }
    await scope.vault.reconcile(stale);
  }
}

async function findList(
  scope: Scope,
  input: ListNotesInput,
  order: Order,
  after: Place | null,
): Promise<FoundList> {
  const { rows, remarks } = await selectListed(scope, input);
  const { list, otherStates } = await place(scope, rows, input, order);
  list.sort((a, b) => comparePlaces(a.place, b.place, order));
  const start = after === null ? 0 : list.findIndex(({ place }) => comparePlaces(place, after, order) > 0);
  return {
    list,
    wanted: start < 0 ? [] : list.slice(start, start + input.limit),
    notes: rows.length,
    remarks: otherStates === 0 ? remarks : [...remarks, moreStates(otherStates)],
  };
}

function isGroup(item: Listed): item is Group {
  return !('task' in item || 'path' in item);
}

/** The note that is listed, or that the task stands in. */
function noteOf(item: NoteRow | TaskOfNote): NoteRow {
  return 'task' in item ? item.row : item;
}

/** Everything that is to be listed, with its place, in no order yet. */
async function place(
  scope: Scope,
  rows: readonly NoteRow[],
  input: ListNotesInput,
  order: Order,
): Promise<{ list: Placed<Listed>[]; otherStates: number }> {
  const { view } = scope;
  if (input.of === 'tasks') {
    const { tasks, otherStates } = await findTasks(view, rows, input);
    const list = tasks.map((item) => ({ item, place: placeTask(view, item, order) }));
    return { list, otherStates: input.states.length === 0 ? otherStates : 0 };
  }
  if (input.of !== 'notes') return { list: await placeGroups(scope, rows, input, order), otherStates: 0 };
  const matching = await matchingRows(scope, rows, input.match);
  const list = matching.map((item) => ({ item, place: placeNote(view, item, order) }));
  return { list, otherStates: 0 };
}

function moreStates(count: number): string {
  return `${count === 1 ? '1 more is' : `${count.toLocaleString('en')} more are`} done or cancelled: states "all" lists them too.`;
}

function named(of: ListNotesInput['of'], items: readonly Shown[]): Partial<ListNotesAnswer> {
  if (of === 'notes') return { notes: items as ListedNote[] };
  return of === 'tasks' ? { tasks: items as ListedTask[] } : { groups: items as Group[] };
}

async function selectListed(
  scope: Scope,
  input: ListNotesInput,
): Promise<{ rows: readonly NoteRow[]; remarks: string[] }> {
  const { view } = scope;
  const filters = await compileFilters(scope, input);
  // `folder` narrows what `folders` leave: both must hold.
  const inFolder = input.folder === null ? null : folderFilter(view, [input.folder]);
  const remarks = [...buildingRemarks(scope), ...filters.remarks, ...(inFolder?.remarks ?? [])];
  const selected = await selectRows(view, filters);
  const matchesGlob = input.glob === null ? null : globOf(scope, input.glob, remarks);
  const near = input.of !== 'folders' && input.of !== 'tags' ? depthBelow(scope, input) : () => true;
  const rows = selected.filter(
    (row) => (inFolder?.predicate(row) ?? true) && (matchesGlob?.(row.path) ?? true) && near(row.path),
  );
  if (rows.length === 0) remarks.push(...(await emptyRemarks(scope, input)));
  return { rows, remarks: [...new Set(remarks)] };
}

/**
 * A glob. One without wildcards names a note or a folder; one without a folder that fits nothing at the top is looked
 * for in all folders.
 */
function globOf(scope: Scope, glob: string, remarks: string[]): (path: string) => boolean {
  if (!isGlob(glob)) {
    const note = pathGlob(glob);
    const below = pathGlob(`${stripEnd(glob, '/')}/**`);
    return (path) => note(path) || below(path);
  }
  const exact = pathGlob(glob);
  if (glob.includes('/') || scope.view.notes().some((row) => exact(row.path))) return exact;
  remarks.push(`Nothing at the top fits "${clip(glob, 100)}": it was looked for in all folders.`);
  return pathGlob(`**/${glob}`);
}

/** Keeps what lies at most `depth` levels below the folder that was asked for. */
function depthBelow(scope: Scope, { folder, depth }: ListNotesInput): (path: string) => boolean {
  if (depth === null) return () => true;
  const base = folder === null ? '' : (findFolder(scope.view, folder) ?? '');
  return (path) => levels(path) - levels(base) <= depth;
}

function levels(path: string): number {
  return path === '' ? 0 : path.split('/').length;
}

/** The notes whose name matches; gives way to other work, as {@link selectRows} does. */
async function matchingRows(
  { view }: Scope,
  rows: readonly NoteRow[],
  match: string | null,
): Promise<readonly NoteRow[]> {
  if (match === null) return rows;
  const matches = await namePattern(match);
  const matching: NoteRow[] = [];
  const slices = new Slices();
  for (const row of rows) {
    if (matches(row.name)) matching.push(row);
    if (slices.spent) await slices.rest();
  }
  return matching.filter((row) => view.byId(row.id) !== null);
}

async function placeGroups(
  scope: Scope,
  rows: readonly NoteRow[],
  input: ListNotesInput,
  order: Order,
): Promise<Placed<Group>[]> {
  const matches = input.match === null ? () => true : await namePattern(input.match);
  const least = input.min_count ?? 1;
  const below = belowFolder(scope, input);
  return groupsOf(rows, input.of)
    .filter(({ name, notes }) => notes >= least && below(name) && matches(name))
    .map((group) => ({ item: group, place: placeGroup(group, order) }));
}

/** Which folders or tags are near enough: folders above the one asked for are not listed. */
function belowFolder(scope: Scope, input: ListNotesInput): (name: string) => boolean {
  if (input.of === 'types') return () => true;
  if (input.of === 'tags') return (name) => input.depth === null || levels(name) <= input.depth;
  const base = input.folder === null ? '' : (findFolder(scope.view, input.folder) ?? '');
  const near = depthBelow(scope, input);
  return (name) => isWithin(name, base as FolderPath) && near(name);
}

function groupsOf(rows: readonly NoteRow[], of: ListNotesInput['of']): Group[] {
  if (of === 'folders') return groupByFolder(rows);
  return of === 'tags' ? groupByTag(rows) : groupByType(rows);
}

function* shown(
  scope: Scope,
  wanted: readonly Placed<Listed>[],
  { fields }: ListNotesInput,
): Generator<Shown> {
  for (const { item } of wanted) {
    if ('task' in item) {
      yield showTask(scope, item, fields);
      continue;
    }
    if (isGroup(item)) {
      yield { name: clip(item.name, 300), notes: item.notes };
      continue;
    }
    const values = shownFields(scope, item, fields);
    yield {
      ...noteFacts(scope, item),
      modified: isoTime(scope, scope.view.times(item).modified),
      size: item.size,
      ...(values === null ? {} : { fields: values }),
    };
  }
}

function showTask(scope: Scope, { row, task }: TaskOfNote, fields: readonly string[]): ListedTask {
  const { line, text, state, mark, due, scheduled } = task;
  const values = shownFields(scope, row, fields);
  return {
    ...noteFacts(scope, row),
    line,
    text: clip(oneLine(text), LONGEST_TASK),
    state,
    mark,
    ...(due === null ? {} : { due }),
    ...(scheduled === null ? {} : { scheduled }),
    ...(values === null ? {} : { fields: values }),
  };
}

function readPlace(position: unknown): Place {
  return position as Place;
}
