import { outline } from '@grove/native';
import type { Range } from '../../model.ts';
import { readRecords } from '../../outline/records.ts';
import { type BlockNode, buildTree } from '../../outline/tree.ts';
import { contentEnd } from '../lines/blank-lines.ts';

/** A block that a block id can name, and where the id is written. */
export interface NameableBlock extends Range {
  readonly kind: BlockNode['record']['kind'];
  /** Where `^id` is added: the end of the block's own text, or of the block. */
  readonly idAt: number;
  /** True where the id needs a line of its own, after a blank line: code, tables, quotes, whole lists. */
  readonly ownLine: boolean;
}

/** The blocks of a text and the items of its lists, in the order of the text. */
export function blocksOf(text: string): NameableBlock[] {
  const blocks: NameableBlock[] = [];
  for (const node of buildTree(readRecords(outline(text), text))) {
    const { record, parent } = node;
    const { kind, start } = record;
    const inItem = kind === 'listItem';
    if (parent !== null && !inItem) continue;
    if (kind === 'thematicBreak' || kind === 'htmlBlock' || kind === 'footnoteDefinition') continue;
    const end = contentEnd(text, start, record.end);
    const inline = inItem || kind === 'paragraph' || kind === 'heading';
    blocks.push({ kind, start, end, idAt: inItem ? itemTextEnd(text, node, end) : end, ownLine: !inline });
  }
  return blocks;
}

/** Where an item's own text ends: before what is nested in it. */
function itemTextEnd(text: string, { record, first }: BlockNode, end: number): number {
  if (first === null) return end;
  const own = first.record.kind === 'paragraph' ? first.record.end : first.record.start;
  const at = contentEnd(text, record.start, Math.min(own, end));
  return at > record.start ? at : end;
}
