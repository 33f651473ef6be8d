import type { ListItemRecord } from '@grove/native';
import { lineAt, lineContentEnd } from '../lines.ts';
import type { Dialect, Task, TaskState } from '../model.ts';
import type { NoteLines } from './list-items.ts';
import { readTaskDates } from './task-dates.ts';
import type { TextRuns } from './text-runs.ts';
import type { BlockNode } from './tree.ts';

/** https://docs.logseq.com, "Tasks": both workflows and the states that may follow them, for a pattern. */
export const LOGSEQ_STATES = '(?:TODO|DOING|NOW|LATER|WAITING|WAIT|DONE|CANCELED|CANCELLED|IN-PROGRESS)';
const LOGSEQ_MARKER = new RegExp(`(${LOGSEQ_STATES})[ \\t]+`, 'y');

/** https://publish.obsidian.md/tasks, "Core Statuses", and Logseq's keywords; every other mark is one that is open. */
const STATES: Readonly<Record<string, TaskState>> = {
  ...{ x: 'done', X: 'done', DONE: 'done' },
  ...{ '/': 'in_progress', DOING: 'in_progress', NOW: 'in_progress', 'IN-PROGRESS': 'in_progress' },
  ...{ '-': 'cancelled', CANCELED: 'cancelled', CANCELLED: 'cancelled' },
};

/** What a task's mark says of it. */
export function taskState(mark: string): TaskState {
  return (Object.hasOwn(STATES, mark) ? STATES[mark] : undefined) ?? 'open';
}

/** The tasks among the list items: `[ ]` with any one character between, or a Logseq keyword. */
export function readTasks(
  nodes: readonly BlockNode[],
  { text, bodyStart, lineStarts }: NoteLines,
  dialect: Dialect,
  runs: TextRuns,
  isHidden: (offset: number) => boolean,
): Task[] {
  const tasks: Task[] = [];
  for (const node of nodes) {
    const { record } = node;
    if (record.kind !== 'listItem' || isHidden(bodyStart + record.start)) continue;
    const marker = readMarker(record, text, bodyStart, dialect);
    if (marker === null) continue;
    const start = bodyStart + record.start;
    const end = Math.max(start, lineContentEnd(text, marker.after));
    const own = { start: marker.after, lineEnd: end, end: Math.max(end, bodyStart + ownEnd(node)) };
    tasks.push({
      mark: marker.mark,
      state: taskState(marker.mark),
      text: text.slice(marker.after, end).trim(),
      ...readTaskDates(text, own, runs),
      start,
      end,
      line: lineAt(lineStarts, start),
    });
  }
  return tasks;
}

function readMarker(
  record: ListItemRecord,
  text: string,
  bodyStart: number,
  dialect: Dialect,
): { mark: string; after: number } | null {
  const open = bodyStart + (record.taskOffset ?? 0) - 1;
  if (record.task !== null && record.taskOffset !== null && text[open - 1] !== '\\')
    return { mark: record.task, after: bodyStart + record.taskOffset + record.task.length + 1 };
  if (dialect !== 'logseq') return null;
  LOGSEQ_MARKER.lastIndex = bodyStart + record.contentStart;
  const match = LOGSEQ_MARKER.exec(text);
  return match === null ? null : { mark: match[1]!, after: LOGSEQ_MARKER.lastIndex };
}

/** Where the item's own text ends: at the first block in it that is no paragraph. */
function ownEnd(node: BlockNode): number {
  let end = node.record.end;
  for (let child = node.last; child !== null; child = child.previous)
    if (child.record.kind !== 'paragraph') end = child.record.start;
  return end;
}
