import type { DefinitionRecord, LinkRecord, MathRecord, OutlineRecord } from '@grove/native';
import { countUpTo } from '../lines.ts';

/** Records that are blocks: what a heading, a paragraph or a list is, as against what stands in a line. */
type BlockRecord = Exclude<OutlineRecord, LinkRecord | DefinitionRecord | MathRecord>;

/** A block with its place among the others. Offsets are into the body. */
export interface BlockNode {
  readonly record: BlockRecord;
  readonly parent: BlockNode | null;
  /** The block before it in the same parent. */
  readonly previous: BlockNode | null;
  /** The first block inside it. */
  first: BlockNode | null;
  last: BlockNode | null;
}

const BLOCKS: ReadonlySet<OutlineRecord['kind']> = new Set<OutlineRecord['kind']>([
  'heading',
  'paragraph',
  'codeBlock',
  'htmlBlock',
  'table',
  'blockQuote',
  'list',
  'listItem',
  'thematicBreak',
  'footnoteDefinition',
]);

/** Links the blocks among the records (in document order) to their parents and neighbours, in that order. */
export function buildTree(records: readonly OutlineRecord[]): BlockNode[] {
  const nodes: BlockNode[] = [];
  const open: BlockNode[] = [];
  let lastTop: BlockNode | null = null;
  for (const record of records) {
    if (!isBlock(record)) continue;
    while (open.length > 0 && !holds(open[open.length - 1]!.record, record)) open.pop();
    const parent: BlockNode | null = open[open.length - 1] ?? null;
    const previous: BlockNode | null = parent === null ? lastTop : parent.last;
    const node: BlockNode = { record, parent, previous, first: null, last: null };
    if (parent === null) lastTop = node;
    else {
      parent.first ??= node;
      parent.last = node;
    }
    nodes.push(node);
    if (isContainer(record)) open.push(node);
  }
  return nodes;
}

/** The innermost block that holds an offset into the body; `nodes` are in document order. */
export function innermostBlock(nodes: readonly BlockNode[], offset: number): BlockNode | null {
  let node = nodes[countUpTo(nodes.length, (index) => nodes[index]!.record.start, offset) - 1] ?? null;
  while (node !== null && node.record.end <= offset) node = node.parent;
  return node;
}

/** True for a block that holds blocks. */
function isContainer(record: OutlineRecord): boolean {
  const { kind } = record;
  return kind === 'listItem' || kind === 'list' || kind === 'blockQuote' || kind === 'footnoteDefinition';
}

function isBlock(record: OutlineRecord): record is BlockRecord {
  return BLOCKS.has(record.kind);
}

function holds(outer: BlockRecord, inner: BlockRecord): boolean {
  return inner.start >= outer.start && inner.start < outer.end;
}
