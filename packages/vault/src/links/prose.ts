import { lineAt, type NoteText, type Range } from '@grove/markdown';
import { covers } from './ranges.ts';

// Wikilinks, Markdown links and images with what they lead to, addresses, macros and fields; links out of the vault are no links of a note.
const NO_PROSE =
  /!?\[\[[^[\]\n]*\]\]|!?\[[^[\]\n]*\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^[\]\n]*\]|:.*)|<[^<>\n]*>|\b[a-z][a-z+.-]{0,20}:\/\/\S+|[\w.+-]{1,64}@[\w-]{1,255}\.\S+|\{\{[^{}\n]*\}\}|\b[\w-]{1,60}::.*/gi;
// What goes over several lines of a paragraph: tags of HTML, its links with their text, and definitions whose title is below them.
const NO_PROSE_OVER_LINES = [
  /<[a-z!/?][^<>]*>/gi,
  /<a\b[\s\S]*?(?:<\/a>|$)/gi,
  /^[\s>]*\[(?!\^)(?:\\.|[^[\]\\])*\]:[^\n]*\n?[^\n]*/gm,
];
const BRACKET = /\\[\s\S]|[[\]()]/g;
const DELIMITER_ROW = /^(?=.*-)(?=.*[|:])[\s>|:-]+$/;
const BLANK = /^[\s>]*$/;
/** How far from a name is looked for what it may be a part of, in UTF-16 units. */
const AROUND = 2_000;

/**
 * True where a link in the place of a name breaks nothing that the paragraph holds. Where Markdown could be read in
 * two ways, such as in brackets, it is taken for false.
 *
 * @param literals of the note, as a union
 */
export function isProse(name: Range, note: NoteText, literals: readonly Range[]): boolean {
  const line = nearBy(name, lineOf(name, note));
  if (isIn(name, line, NO_PROSE, note.text)) return false;
  const block = blockAt(name, note);
  if (NO_PROSE_OVER_LINES.some((form) => isIn(name, block, form, note.text))) return false;
  return !isInBrackets(name, block, note.text, literals);
}

/**
 * A link as it can stand in the place of a name; null where none can: a bar would end the cell of a table, and is
 * escaped where each row begins with one.
 */
export function asInTable(link: string, name: Range, note: NoteText): string | null {
  if (!link.includes('|')) return link;
  const line = lineOf(name, note);
  const { text } = note;
  if (/^[\s>]*\|/.test(text.slice(line.start, Math.min(line.end, line.start + AROUND))))
    return link.replaceAll('|', '\\|');
  const { start, end } = blockAt(name, note);
  const lines = text.slice(start, end).split('\n');
  return lines.some((one) => DELIMITER_ROW.test(one)) ? null : link;
}

function isIn(name: Range, { start, end }: Range, form: RegExp, text: string): boolean {
  for (const { 0: found, index } of text.slice(start, end).matchAll(form))
    if (start + index < name.end && name.start < start + index + found.length) return true;
  return false;
}

/** Between brackets that belong together, or in what follows such a pair in round ones; escaped ones and those in code are words. */
function isInBrackets(name: Range, { start, end }: Range, text: string, literals: readonly Range[]): boolean {
  const open: { readonly at: number; readonly by: string }[] = [];
  for (const { 0: bracket, index } of text.slice(start, end).matchAll(BRACKET)) {
    const at = start + index;
    if (bracket.length > 1 || covers(literals, { start: at, end: at + 1 })) continue;
    const isLink = text[at - 1] === ']' || open.at(-1)?.by === '(';
    if (bracket === '[' || (bracket === '(' && isLink)) open.push({ at, by: bracket });
    if (bracket !== ']' && bracket !== ')') continue;
    const begin = open.findLastIndex(({ by }) => by === (bracket === ']' ? '[' : '('));
    const from = open[begin]?.at;
    if (from === undefined) continue;
    if (from < name.start && name.start < at) return true;
    open.length = begin;
  }
  return false;
}

/** The lines around one that are not blank, as far as they are near. */
function blockAt(name: Range, { text, lineStarts }: NoteText): Range {
  const least = name.start - AROUND;
  const most = name.end + AROUND;
  const line = lineAt(lineStarts, name.start) - 1;
  const isBlank = (at: number): boolean => {
    const start = lineStarts[at] ?? 0;
    return BLANK.test(text.slice(start, Math.min(lineStarts[at + 1] ?? text.length, start + AROUND)));
  };
  let first = line;
  while (first > 0 && (lineStarts[first] ?? 0) > least && !isBlank(first - 1)) first -= 1;
  let after = line + 1;
  while (after < lineStarts.length && (lineStarts[after] ?? most) < most && !isBlank(after)) after += 1;
  return nearBy(name, { start: lineStarts[first] ?? 0, end: lineStarts[after] ?? text.length });
}

function nearBy(name: Range, { start, end }: Range): Range {
  return { start: Math.max(start, name.start - AROUND), end: Math.min(end, name.end + AROUND) };
}

function lineOf({ start: at }: Range, { text, lineStarts }: NoteText): Range {
  const line = lineAt(lineStarts, at);
  return { start: lineStarts[line - 1] ?? 0, end: lineStarts[line] ?? text.length };
}
