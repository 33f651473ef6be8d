import { decodeOutline, outline } from '@grove/native';
import type { Nodes, Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

/** An element that both parsers must see alike: kind, start and what it says. */
export interface Element {
  readonly kind: 'heading' | 'link' | 'image' | 'code' | 'fence' | 'definition';
  readonly start: number;
  readonly detail: string;
}

const processor = unified().use(remarkParse).use(remarkGfm).use(remarkMath).freeze();

/** What remark sees. */
export function remarkElements(body: string): Element[] {
  const elements: Element[] = [];
  const walk = (node: Nodes) => {
    // What remark makes of bare addresses after parsing has no position; see `differences.ts`.
    if (node.position === undefined) return;
    const start = node.position.start.offset!;
    switch (node.type) {
      case 'heading':
        elements.push({ kind: 'heading', start, detail: `${node.depth} ${squeeze(textOf(node))}` });
        break;
      case 'link':
        elements.push({ kind: 'link', start, detail: node.url });
        break;
      case 'image':
        elements.push({ kind: 'image', start, detail: node.url });
        break;
      case 'linkReference':
        elements.push({ kind: 'link', start, detail: reference(node.label) });
        break;
      case 'imageReference':
        elements.push({ kind: 'image', start, detail: reference(node.label) });
        break;
      case 'definition':
        elements.push({ kind: 'definition', start, detail: node.url });
        break;
      case 'inlineCode':
        elements.push({ kind: 'code', start, detail: '' });
        break;
      case 'code':
        elements.push({ kind: 'fence', start: contentStart(body, start), detail: '' });
        break;
    }
    if ('children' in node) for (const child of node.children) walk(child);
  };
  walk(processor.parse(body) as Root);
  return elements.sort(byStart);
}

/** What the outline sees. */
export function outlineElements(body: string): Element[] {
  const elements: Element[] = [];
  for (const record of decodeOutline(outline(body))) {
    const { start } = record;
    switch (record.kind) {
      case 'heading':
        elements.push({ kind: 'heading', start, detail: `${record.level} ${squeeze(record.text)}` });
        break;
      case 'link': {
        const byReference =
          record.type === 'reference' || record.type === 'collapsed' || record.type === 'shortcut';
        const detail = byReference ? reference(record.label) : record.destination;
        if (record.type === 'wikilink') break;
        const url = record.type === 'email' ? `mailto:${detail}` : detail;
        elements.push({ kind: record.embed ? 'image' : 'link', start, detail: url });
        break;
      }
      case 'definition':
        elements.push({ kind: 'definition', start, detail: record.destination });
        break;
      case 'codeSpan':
        elements.push({ kind: 'code', start, detail: '' });
        break;
      case 'codeBlock':
        elements.push({ kind: 'fence', start: contentStart(body, start), detail: '' });
        break;
    }
  }
  return elements.sort(byStart);
}

function byStart(a: Element, b: Element): number {
  return a.start - b.start || (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0);
}

function textOf(node: Nodes): string {
  if (node.type === 'html') return '';
  if (node.type === 'break') return ' ';
  if ('value' in node) return node.value;
  if ('children' in node) return node.children.map(textOf).join('');
  return 'alt' in node ? (node.alt ?? '') : '';
}

// Indentation of an indented block belongs to it in remark, not in pulldown-cmark.
function contentStart(body: string, start: number): number {
  return start + /^[ \t]*/.exec(body.slice(start, start + 100))![0].length;
}

function reference(label: string | null | undefined): string {
  return `ref ${squeeze((label ?? '').replace(/\\([!-/:-@[-`{-~])/g, '$1'))}`;
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
