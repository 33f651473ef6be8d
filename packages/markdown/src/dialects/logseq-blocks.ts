import { lineAt, lineContentEnd } from '../lines.ts';
import type { BlockId, ListItem, Tag } from '../model.ts';
import type { TextRuns } from '../outline/text-runs.ts';
import { readProperty, splitNames } from './logseq-properties.ts';

/** What the properties of Logseq blocks say: `id::` names a block, `tags::` tags it. */
export interface BlockProperties {
  readonly ids: readonly BlockId[];
  readonly tags: readonly Tag[];
}

/** Reads the `id::` and `tags::` lines of a body from `from` on; each belongs to the list item that holds it. */
export function readBlockProperties(
  text: string,
  from: number,
  items: readonly ListItem[],
  lineStarts: readonly number[],
  runs: TextRuns,
): BlockProperties {
  const ids: BlockId[] = [];
  const tags: Tag[] = [];
  for (let at = text.indexOf('::', from); at >= 0; at = text.indexOf('::', lineContentEnd(text, at))) {
    const line = lineAt(lineStarts, at);
    const property = readProperty(text, lineStarts[line - 1]!);
    if (property === null || runs.plainEnd(property.start) < 0) continue;
    const { key, value, start, end, valueStart } = property;
    if (key === 'id' && value !== '') {
      const item = holder(items, start);
      if (item !== undefined)
        ids.push({ id: value, start, end, line, block: { start: item.start, end: item.treeEnd } });
    } else if (key === 'tags') {
      for (const name of splitNames(text.slice(valueStart, end)))
        tags.push({
          name: name.name,
          source: 'inline',
          start: valueStart + name.start,
          end: valueStart + name.end,
          line,
        });
    }
  }
  return { ids, tags };
}

/** The innermost list item whose own text holds the offset. */
function holder(items: readonly ListItem[], offset: number): ListItem | undefined {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (items[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  const item = items[low - 1];
  return item !== undefined && offset < item.treeEnd ? item : undefined;
}
