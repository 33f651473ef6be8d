import { lineAt } from '../lines.ts';
import type { ListItem } from '../model.ts';
import type { BlockNode } from './tree.ts';

export interface NoteLines {
  readonly text: string;
  readonly bodyStart: number;
  readonly lineStarts: readonly number[];
}

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

/** The first list inside an item. */
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
