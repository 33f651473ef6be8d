import { countUpTo, lineAt, lineContentEnd } from '../lines.ts';
import type { BlockId, Range, Tag } from '../model.ts';
import type { TextRuns } from '../outline/text-runs.ts';
import { type BlockNode, innermostBlock } from '../outline/tree.ts';
import { readProperty, splitNames } from './logseq-properties.ts';

/** What the properties of Logseq blocks say: `id::` names a block, `tags::` tags it. */
export interface BlockProperties {
  readonly ids: readonly BlockId[];
  readonly tags: readonly Tag[];
}

interface Body {
  readonly text: string;
  readonly bodyStart: number;
  readonly lineStarts: readonly number[];
}

/**
 * Reads the `id::` lines of a body, and its `tags::` lines after the page's own properties. An id names the list
 * item that holds it, else the heading right above it with all bullets below that, else its paragraph.
 */
export function readBlockProperties(
  body: Body,
  pageEnd: number,
  nodes: readonly BlockNode[],
  runs: TextRuns,
): BlockProperties {
  const { text, bodyStart, lineStarts } = body;
  const ids: BlockId[] = [];
  const tags: Tag[] = [];
  const blocks = new NamedBlocks(nodes, body);
  for (let at = text.indexOf('::', bodyStart); at >= 0; at = text.indexOf('::', lineContentEnd(text, at))) {
    const line = lineAt(lineStarts, at);
    const property = readProperty(text, Math.max(lineStarts[line - 1]!, bodyStart));
    if (property === null || runs.plainEnd(property.start) < 0) continue;
    const { key, value, start, end, valueStart } = property;
    if (key === 'id' && value !== '') {
      const block = blocks.at(start);
      if (block !== null) ids.push({ id: value, start, end, line, block });
    } else if (key === 'tags' && start >= pageEnd) {
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

/** The blocks that ids name, by the node that holds the `id::` line. */
class NamedBlocks {
  readonly #nodes: readonly BlockNode[];
  readonly #body: Body;
  /** Several ids may stand in one block. */
  #last: { readonly node: BlockNode; readonly block: Range } | null = null;

  constructor(nodes: readonly BlockNode[], body: Body) {
    this.#nodes = nodes;
    this.#body = body;
  }

  /** The block that an id at an offset of the text names, or null. */
  at(offset: number): Range | null {
    const { bodyStart } = this.#body;
    let node = innermostBlock(this.#nodes, offset - bodyStart);
    while (node !== null && node.record.kind !== 'listItem' && node.parent !== null) node = node.parent;
    if (node === null) return null;
    if (this.#last?.node !== node) this.#last = { node, block: this.#blockOf(node) };
    return this.#last.block;
  }

  #blockOf(node: BlockNode): Range {
    const { text, bodyStart } = this.#body;
    const { previous, record } = node;
    if (record.kind === 'listItem' || previous?.record.kind !== 'heading')
      return { start: bodyStart + record.start, end: bodyStart + record.end };
    const start = bodyStart + previous.record.start;
    return { start, end: start + text.slice(start, this.#nextAtMargin(record.end)).trimEnd().length };
  }

  /** Where the next heading, or a bullet that is not indented, starts: what stands before belongs to the heading. */
  #nextAtMargin(from: number): number {
    const { text, bodyStart } = this.#body;
    let index = countUpTo(this.#nodes.length, (at) => this.#nodes[at]!.record.start, from - 1);
    for (; index < this.#nodes.length; index += 1) {
      const { parent, record } = this.#nodes[index]!;
      const start = bodyStart + record.start;
      if (record.kind === 'heading' && parent === null) return start;
      if (record.kind === 'listItem' && text[start - 1] === '\n') return start;
    }
    return text.length;
  }
}
