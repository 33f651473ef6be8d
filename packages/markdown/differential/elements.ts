import { decodeOutline, outline } from '@grove/native';
import type { Nodes, Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

/** An element that both parsers should see alike: kind, start and what it says. */
export interface Element {
  readonly kind: 'heading' | 'link' | 'image' | 'code' | 'fence' | 'definition';
  readonly start: number;
  /** A heading's level and text, a link's destination or reference, a definition's destination. */
  readonly detail: string;
}

interface Extent {
  readonly start: number;
  readonly end: number;
}

/** What one parser sees in a body, and where it sees what explains a difference. */
export interface Sight {
  readonly elements: readonly Element[];
  readonly images: readonly Extent[];
  readonly math: readonly Extent[];
  readonly wikilinks: readonly Extent[];
  /** Labels of the definitions, folded, with where they start. */
  readonly definitions: readonly { readonly label: string; readonly start: number }[];
}

const processor = unified().use(remarkParse).use(remarkGfm).use(remarkMath).freeze();

/** What remark sees: CommonMark with GFM and math. */
export function remarkSight(body: string): Sight {
  const sight = emptySight();
  const walk = (node: Nodes) => {
    // What remark makes of addresses after parsing has no place in the text.
    if (node.position === undefined) return;
    const start = node.position.start.offset!;
    const extent = { start, end: node.position.end.offset! };
    const add = (kind: Element['kind'], detail: string) => sight.elements.push({ kind, start, detail });
    if (node.type === 'heading') add('heading', `${node.depth} ${squeeze(textOf(node))}`);
    else if (node.type === 'link') add('link', node.url);
    else if (node.type === 'image') add('image', node.url);
    else if (node.type === 'linkReference') add('link', reference(node.label));
    else if (node.type === 'imageReference') add('image', reference(node.label));
    else if (node.type === 'definition') add('definition', node.url);
    else if (node.type === 'inlineCode') add('code', '');
    else if (node.type === 'code')
      sight.elements.push({ kind: 'fence', start: codeStart(body, start), detail: '' });
    if (node.type === 'image' || node.type === 'imageReference') sight.images.push(extent);
    if (node.type === 'math' || node.type === 'inlineMath') sight.math.push(extent);
    if (node.type === 'definition') sight.definitions.push({ label: node.identifier.toLowerCase(), start });
    if ('children' in node) for (const child of node.children) walk(child);
  };
  walk(processor.parse(body) as Root);
  return sight;
}

/** What Grove's outline sees. */
export function outlineSight(body: string): Sight {
  const sight = emptySight();
  for (const record of decodeOutline(outline(body))) {
    const { start } = record;
    const add = (kind: Element['kind'], detail: string) => sight.elements.push({ kind, start, detail });
    if (record.kind === 'heading') add('heading', `${record.level} ${squeeze(record.text)}`);
    else if (record.kind === 'definition') add('definition', record.destination);
    else if (record.kind === 'codeSpan') add('code', '');
    else if (record.kind === 'codeBlock')
      sight.elements.push({ kind: 'fence', start: codeStart(body, start), detail: '' });
    else if (record.kind === 'math') sight.math.push(record);
    else if (record.kind === 'link' && record.type === 'wikilink') sight.wikilinks.push(record);
    else if (record.kind === 'link') {
      const byReference = ['reference', 'collapsed', 'shortcut'].includes(record.type);
      const url = record.type === 'email' ? `mailto:${record.destination}` : record.destination;
      add(record.embed ? 'image' : 'link', byReference ? reference(record.label) : url);
    }
  }
  return sight;
}

function emptySight() {
  return {
    elements: [] as Element[],
    images: [] as Extent[],
    math: [] as Extent[],
    wikilinks: [] as Extent[],
    definitions: [] as { label: string; start: number }[],
  };
}

// The indentation of an indented block belongs to it in remark, not in pulldown-cmark: compare what is visible.
function codeStart(body: string, start: number): number {
  return start + /^[ \t]*/.exec(body.slice(start, start + 100))![0].length;
}

function reference(label: string | null | undefined): string {
  return `ref ${squeeze((label ?? '').replace(/\\([!-/:-@[-`{-~])/g, '$1'))}`;
}

function textOf(node: Nodes): string {
  if (node.type === 'html') return '';
  if (node.type === 'break') return ' ';
  if ('value' in node) return node.value;
  if ('children' in node) return node.children.map(textOf).join('');
  return 'alt' in node ? (node.alt ?? '') : '';
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
