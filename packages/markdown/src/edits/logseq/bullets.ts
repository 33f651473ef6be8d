import { lineContentEnd } from '../../lines.ts';
import type { ListItem, NoteText } from '../../model.ts';
import { isBlankLine } from '../lines/blank-lines.ts';

const BULLET = /^([ \t]*)[-*+](?:[ \t]+(.*))?$/;
// To a parser a bullet of nothing but dashes is a rule, and no bullet.
const DASHES = /^([ \t]*)-(?:[ \t]*-){2,}[ \t]*$/;
const FENCE = /^[ \t]*(`{3,}|~{3,})/;
const INDENTED_BULLET = /^([ \t]+)[-*+](?:[ \t]|\r?$)/m;

/** What a graph indents its bullets by: as the note does, else a tab, which is Logseq's own way. */
export function indentUnit(note: NoteText): string {
  const indent = INDENTED_BULLET.exec(note.text)?.[1];
  return indent === undefined || indent.includes('\t') ? '\t' : indent;
}

/** The white space before the line that holds an offset. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, lineContentEnd(text, start)))![0];
}

/** The indentation of what is nested in a bullet: as its first child has it, else one unit more than its own. */
export function childIndent(note: NoteText, item: ListItem): string {
  const child = note.listItems.find(({ start }) => start > item.start && start < item.treeEnd);
  return indentAt(note.text, (child ?? item).start) + (child === undefined ? indentUnit(note) : '');
}

/**
 * Any Markdown as the bullets of a Logseq graph, one for each block: paragraphs and headings become bullets,
 * bullets keep their nesting, and the other lines of a block stand below its text. Lines end in `\n`.
 *
 * @example asBullets('One\n\n- two\n  - three', '', '\t') // '- One\n- two\n\t- three'
 */
export function asBullets(content: string, indent: string, unit: string): string {
  const lines = withoutCommonIndent(content.split('\n'));
  const out: string[] = [];
  const columns: number[] = [];
  let under: string | null = null;
  let fence: string | null = null;
  let blanks = 0;
  const start = (depth: number, text: string) => {
    const margin = indent + unit.repeat(depth);
    under = `${margin}  `;
    blanks = 0;
    // Below text, a lone dash would make a heading of it.
    if (text !== '') out.push(`${margin}- ${text}`);
  };
  for (const raw of lines) {
    const line: string = fence === null ? raw.replace(DASHES, '$1***') : raw;
    if (fence === null && isBlankLine(line)) {
      blanks += 1;
      continue;
    }
    const mark = FENCE.exec(line)?.[1] ?? null;
    const bullet: RegExpExecArray | null = fence === null ? BULLET.exec(line) : null;
    if (bullet !== null) {
      const column = widthOf(bullet[1]!);
      while (columns.length > 0 && columns[columns.length - 1]! >= column) columns.pop();
      start(columns.length, bare(bullet[2] ?? ''));
      columns.push(column);
      const inside: string | null = FENCE.exec(bullet[2] ?? '')?.[1] ?? null;
      if (inside !== null) fence = inside;
    } else if (fence !== null) {
      out.push(isBlankLine(line) ? '' : under + withoutIndent(line, columns));
      if (mark !== null && mark[0] === fence[0] && mark.length >= fence.length) fence = null;
    } else {
      const nested = columns.length > 0 && widthOf(/^[ \t]*/.exec(line)![0]) > columns[columns.length - 1]!;
      if (under === null || (!nested && (blanks > 0 || columns.length > 0)) || /^#{1,6}[ \t]/.test(line)) {
        columns.length = 0;
        start(0, bare(line));
      } else {
        if (blanks > 0) out.push('');
        blanks = 0;
        out.push(under + bare(line));
      }
      fence = mark;
    }
  }
  return out.join('\n');
}

function bare(line: string): string {
  return line.replace(/^[ \t]+|[ \t\r]+$/g, '');
}

function withoutIndent(line: string, columns: readonly number[]): string {
  const most = columns.length === 0 ? 0 : columns[columns.length - 1]! + 2;
  let at = 0;
  for (let width = 0; at < line.length && width < most; at += 1) {
    if (line[at] !== ' ' && line[at] !== '\t') break;
    width += line[at] === '\t' ? 4 - (width % 4) : 1;
  }
  return line.slice(at);
}

function withoutCommonIndent(lines: readonly string[]): string[] {
  let common: string | null = null;
  for (const line of lines) {
    if (isBlankLine(line)) continue;
    const indent = /^[ \t]*/.exec(line)![0];
    if (common === null) common = indent;
    while (!indent.startsWith(common)) common = common.slice(0, -1);
  }
  const width = common?.length ?? 0;
  return lines.map((line) => (isBlankLine(line) ? line : line.slice(width)));
}

function widthOf(indent: string): number {
  let width = 0;
  for (const character of indent) width += character === '\t' ? 4 - (width % 4) : 1;
  return width;
}
