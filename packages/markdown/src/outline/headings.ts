import { foldTitle } from '@grove/core';
import { lineAt } from '../lines.ts';
import type { Heading } from '../model.ts';
import type { BlockNode } from './tree.ts';

type Level = Heading['level'];

interface Draft {
  readonly node: BlockNode;
  readonly level: Level;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly path: string[];
  sectionEnd: number;
}

/**
 * The headings among the blocks, with their sections. A heading inside a quote or a list item opens a
 * section that ends with that quote or item, and ends no section outside it.
 */
export function readHeadings(
  nodes: readonly BlockNode[],
  isHidden: (offset: number) => boolean,
  note: { readonly text: string; readonly bodyStart: number; readonly lineStarts: readonly number[] },
): Heading[] {
  const { text, bodyStart, lineStarts } = note;
  const drafts: Draft[] = [];
  const open: Draft[] = [];
  for (const node of nodes) {
    const { record } = node;
    if (record.kind !== 'heading' || isHidden(bodyStart + record.start)) continue;
    const start = bodyStart + record.start;
    const level = Math.min(6, Math.max(1, record.level)) as Level;
    while (open.length > 0) {
      const above = open[open.length - 1]!;
      // Above in a container that is over, or of the same container and not of a higher level.
      if (above.sectionEnd <= start) open.pop();
      else if (above.node.parent === node.parent && above.level >= level) {
        above.sectionEnd = start;
        open.pop();
      } else break;
    }
    const container = node.parent === null ? text.length : bodyStart + node.parent.record.end;
    const draft: Draft = {
      node,
      level,
      text: record.text,
      start,
      end: bodyStart + record.end,
      path: [...(open[open.length - 1]?.path ?? []), record.text],
      sectionEnd: Math.min(container, open[open.length - 1]?.sectionEnd ?? text.length),
    };
    drafts.push(draft);
    open.push(draft);
  }
  return addressed(drafts, lineStarts);
}

function addressed(drafts: readonly Draft[], lineStarts: readonly number[]): Heading[] {
  const keys = drafts.map((draft) => foldTitle(draft.text));
  const totals = new Map<string, number>();
  for (const key of keys) totals.set(key, (totals.get(key) ?? 0) + 1);
  const seen = new Map<string, number>();
  return drafts.map((draft, index) => {
    const key = keys[index]!;
    const ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, ordinal);
    const { level, text, path, sectionEnd, start, end } = draft;
    const alone = totals.get(key) === 1 && !needsOrdinal(text, totals);
    return {
      level,
      text,
      path,
      sectionEnd,
      start,
      end,
      line: lineAt(lineStarts, start),
      address: alone ? text : `${text}@${ordinal}`,
    };
  });
}

/** True for a text that would be read as something else than this heading: a block, an ordinal, nothing. */
function needsOrdinal(text: string, totals: ReadonlyMap<string, number>): boolean {
  if (text === '' || /^#*\s*\^/.test(text)) return true;
  const ordinal = /^(.*)@(\d+)$/s.exec(text);
  return ordinal !== null && (totals.get(foldTitle(ordinal[1]!)) ?? 0) >= Number(ordinal[2]);
}
