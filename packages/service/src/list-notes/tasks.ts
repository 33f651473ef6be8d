import { GroveError, nearest, Slices } from '@grove/core';
import type { TaskState } from '@grove/markdown';
import type { NoteRow, NoteTask, View } from '@grove/vault';
import { namePattern } from '../notes/name-pattern.ts';
import type { ListNotesInput } from './contract.ts';

const STATES: readonly TaskState[] = ['open', 'in_progress', 'done', 'cancelled'];
const NOT_OVER: ReadonlySet<TaskState> = new Set<TaskState>(['open', 'in_progress']);

/** A task with the note that it stands in. */
export interface TaskOfNote {
  readonly row: NoteRow;
  readonly task: NoteTask;
}

/** Tasks that were asked for, and how many more there are in other states. */
export interface FoundTasks {
  readonly tasks: readonly TaskOfNote[];
  readonly otherStates: number;
}

/**
 * The tasks of notes, in the order of the notes. They come from the catalog: reading the text of every note for each page
 * of a list would take seconds in a large vault, and rows say which notes have none.
 *
 * @throws GroveError `bad_input`, `bad_regex`
 */
export async function findTasks(
  view: View,
  rows: readonly NoteRow[],
  { match, states }: Pick<ListNotesInput, 'match' | 'states'>,
): Promise<FoundTasks> {
  const wanted = readStates(states);
  const matches = match === null ? () => true : await namePattern(match);
  const tasks: TaskOfNote[] = [];
  let otherStates = 0;
  const slices = new Slices();
  for (const row of rows) {
    if (row.hasTasks && view.byId(row.id) !== null)
      for (const task of view.details(row).tasks) {
        if (!matches(task.text)) continue;
        if (wanted.has(task.state)) tasks.push({ row, task });
        else otherStates += 1;
      }
    if (slices.spent) await slices.rest();
  }
  return { tasks: tasks.filter(({ row }) => view.byId(row.id) !== null), otherStates };
}

/** The states that are asked for: without any those that are not over. */
function readStates(states: readonly string[]): ReadonlySet<TaskState> {
  if (states.length === 0) return NOT_OVER;
  const words = states.map((state) => state.trim().toLowerCase().replace(/[ -]/g, '_'));
  if (words.includes('all')) return new Set(STATES);
  return new Set(words.map(readState));
}

function readState(word: string): TaskState {
  const known = STATES.find((state) => state === (word === 'canceled' ? 'cancelled' : word));
  if (known !== undefined) return known;
  const near = nearest(word, STATES, 1)[0];
  const meant = near === undefined ? '' : `; did you mean "${near}"`;
  const shown = word.slice(0, 60).toWellFormed();
  const reason = `"states" takes ${STATES.join(', ')} or all, not "${shown}"${meant}`;
  throw new GroveError('bad_input', { name: 'states', reason });
}
