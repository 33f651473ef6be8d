import { lineAt } from '../lines.ts';
import type { BlockId, Range } from '../model.ts';
import type { TextRuns } from './text-runs.ts';
import { type BlockNode, innermostBlock } from './tree.ts';

const ID = /\^([A-Za-z0-9-]+)(?=[ \t]*(?:\r?\n|$))/y;
// What may stand between the end of one block and the next: breaks and the marks of a quote.
const GAP = /[\s>]*/y;

/**
 * Finds Obsidian's block ids: `^id` at the end of a block, after white space, or on a line of its own after
 * a blank line, where it names the block before. A list item's id names the item with all that is nested
 * in it; the id at the end of a quote names the quote.
 */
export function findBlockIds(
  note: { readonly text: string; readonly bodyStart: number; readonly lineStarts: readonly number[] },
  nodes: readonly BlockNode[],
  runs: TextRuns,
): BlockId[] {
  const { text, bodyStart, lineStarts } = note;
  const ids: BlockId[] = [];
  for (let at = text.indexOf('^', bodyStart); at >= 0; at = text.indexOf('^', at + 1)) {
    if (at > bodyStart && !/\s/.test(text[at - 1]!)) continue;
    ID.lastIndex = at;
    const match = ID.exec(text);
    if (match === null || runs.plainEnd(at) < 0) continue;
    const end = at + match[0].length;
    const node = blockEndingWith(note, nodes, at, end);
    if (node === null) continue;
    const named = nameBlock(node, at, end, note);
    if (named === null) continue;
    const block: Range = { start: bodyStart + named.record.start, end: bodyStart + named.record.end };
    ids.push({ id: match[1]!, start: at, end, line: lineAt(lineStarts, at), block });
  }
  return ids;
}

/** The innermost block that holds the id and whose own text ends with it, or null. */
function blockEndingWith(
  { text, bodyStart }: { readonly text: string; readonly bodyStart: number },
  nodes: readonly BlockNode[],
  start: number,
  end: number,
): BlockNode | null {
  const innermost = innermostBlock(nodes, start - bodyStart);
  if (innermost === null) return null;
  GAP.lastIndex = end;
  const next = end + (GAP.exec(text)?.[0].length ?? 0) - bodyStart;
  if (next >= innermost.record.end) return innermost;
  // A tight item has no paragraph of its own: its text ends where the first block inside it starts.
  if (innermost.record.kind === 'listItem' && innermost.first?.record.start === next) return innermost;
  return null;
}

function nameBlock(
  node: BlockNode,
  start: number,
  end: number,
  { bodyStart }: { readonly bodyStart: number },
): BlockNode | null {
  const { record } = node;
  if (
    record.kind === 'paragraph' &&
    record.start === start - bodyStart &&
    record.end <= end - bodyStart + 1
  ) {
    if (node.previous !== null) return node.previous;
    return node.parent?.record.kind === 'listItem' ? node.parent : null;
  }
  // A heading that is nothing but `^id` has that for its text.
  if (record.kind === 'heading' && record.contentStart === start - bodyStart) return null;
  const { parent } = node;
  if (record.kind === 'paragraph' && parent?.record.kind === 'listItem' && parent.first === node)
    return parent;
  if (parent?.record.kind === 'blockQuote' && parent.last === node) return parent;
  return record.kind === 'list' || record.kind === 'blockQuote' ? null : node;
}
