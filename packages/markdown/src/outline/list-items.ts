import type { ListItemRecord } from '@grove/native';
import { lineAt, lineContentEnd } from '../lines.ts';
import type { Dialect, ListItem, Task } from '../model.ts';
import type { BlockNode } from './tree.ts';

interface NoteLines {
  readonly text: string;
  readonly bodyStart: number;
  readonly lineStarts: readonly number[];
}

/** https://docs.logseq.com, "Tasks": both workflows and the states that may follow them, for a pattern. */
export const LOGSEQ_STATES = '(?:TODO|DOING|NOW|LATER|WAITING|WAIT|DONE|CANCELED|CANCELLED|IN-PROGRESS)';
const LOGSEQ_MARKER = new RegExp(`(${LOGSEQ_STATES})[ \\t]+`, 'y');

/** The list items among the blocks, each with the end of its own text and of its tree. */
export function readListItems(
  nodes: readonly BlockNode[],
  { text, bodyStart, lineStarts }: NoteLines,
): ListItem[] {
  const items: ListItem[] = [];
  for (const node of nodes) {
    if (node.record.kind !== 'listItem') continue;
    const start = bodyStart + node.record.start;
    const treeEnd = bodyStart + node.record.end;
    const nested = firstList(node);
    const end = nested === null ? treeEnd : trimEnd(text, start, bodyStart + nested.record.start);
    items.push({ start, end, treeEnd, depth: node.record.depth - 1, line: lineAt(lineStarts, start) });
  }
  return items;
}

/** The tasks among the list items: `[ ]` with any one character between, or a Logseq keyword. */
export function readTasks(
  nodes: readonly BlockNode[],
  { text, bodyStart, lineStarts }: NoteLines,
  dialect: Dialect,
  isHidden: (offset: number) => boolean,
): Task[] {
  const tasks: Task[] = [];
  for (const { record } of nodes) {
    if (record.kind !== 'listItem' || isHidden(bodyStart + record.start)) continue;
    const marker = readMarker(record, text, bodyStart, dialect);
    if (marker === null) continue;
    const start = bodyStart + record.start;
    const end = lineContentEnd(text, marker.after);
    const content = text.slice(marker.after, end).trim();
    tasks.push({
      state: marker.state,
      done: /^(?:x|DONE)$/i.test(marker.state),
      text: content,
      start,
      end: Math.max(start, end),
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
): { state: string; after: number } | null {
  const open = bodyStart + (record.taskOffset ?? 0) - 1;
  if (record.task !== null && record.taskOffset !== null && text[open - 1] !== '\\')
    return { state: record.task, after: bodyStart + record.taskOffset + record.task.length + 1 };
  if (dialect !== 'logseq') return null;
  LOGSEQ_MARKER.lastIndex = bodyStart + record.contentStart;
  const match = LOGSEQ_MARKER.exec(text);
  return match === null ? null : { state: match[1]!, after: LOGSEQ_MARKER.lastIndex };
}

function firstList(node: BlockNode): BlockNode | null {
  let child = node.last;
  let found: BlockNode | null = null;
  for (; child !== null; child = child.previous) if (child.record.kind === 'list') found = child;
  return found;
}

function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /[\s>]/.test(text[at - 1]!)) at -= 1;
  return at;
}
